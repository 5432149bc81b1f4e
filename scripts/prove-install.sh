#!/usr/bin/env bash
# Proves "two commands on a fresh clone" on Linux: as root and as an ordinary user, in a path with spaces, while another
# copy runs on its own port; stopped, started again, killed, started again. One line a proof; the last line is
# `N passed, N failed`. It installs several times and takes some ten minutes.
#
#   scripts/prove-install.sh                 everything
#   scripts/prove-install.sh --skip-tests    without `npm test` (the longest part)
#
# It clones the committed state of the checkout that it stands in. As root it makes a temporary user for the second half;
# as an ordinary user it proves that half alone. PROVE_BASE names the folder to work in (default: the system's temporary).
set -uo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
base="$(mktemp -d "${PROVE_BASE:-${TMPDIR:-/tmp}}/docket prove XXXXXX")"
chmod 755 "$base"
tests=yes
[ "${1:-}" = --skip-tests ] && tests=no
user="docket-prove-$$"
made_user=no
passed=0
failed=0
log="$base/log"
demo=

say() { printf '%s  %s\n' "$(date +%H:%M:%S)" "$*"; }

# prove WHAT COMMAND...: one line, and the last words of $log where it fails.
prove() {
  local what="$1"
  shift
  if "$@"; then
    passed=$((passed + 1))
    say "ok      $what"
    return 0
  fi
  failed=$((failed + 1))
  say "FAILED  $what"
  [ -f "$log" ] && tail -n 15 "$log" | sed 's/^/          | /'
  return 1
}

# Without what a developer has set, and with Ctrl-C as a terminal gives it (a shell's background job would ignore it).
run_as() {
  local who="$1"
  shift
  local clean=(env --default-signal=INT -u DATABASE_URL -u TEST_DATABASE_URL -u NEXTAUTH_URL -u NEXTAUTH_SECRET
    -u DOCKET_DATA_DIR -u DOCKET_DEMO -u DOCKET_CLASSIFIERS -u EMBEDDED_PG_PORT -u E2E_PORT -u E2E_BASE_URL -u PORT -u CI)
  if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
    setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups "${clean[@]}" HOME="/home/$user" USER="$user" "$@"
  else
    "${clean[@]}" "$@"
  fi
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# The processes that work in a folder or below.
processes_in() {
  local dir
  for dir in /proc/[0-9]*; do
    case "$(readlink "$dir/cwd" 2>/dev/null)" in "$1" | "$1"/*) basename "$dir" ;; esac
  done
}
none_left() {
  local try
  for try in $(seq 40); do
    [ -z "$(processes_in "$1")" ] && return 0
    sleep 0.25
  done
  processes_in "$1" | xargs -r ps -o pid,args -p
  return 1
}
# named COPY PATTERN: the first process in a copy whose command line fits.
named() {
  local pid
  for pid in $(processes_in "$1"); do
    if tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -Eq "$2"; then
      echo "$pid"
      return
    fi
  done
}

answers() { curl -sf -o /dev/null --max-time 10 "http://localhost:$1/healthz"; }
until_announced() {
  local try
  for try in $(seq 1200); do
    grep -q 'Docket is running' "$log" && answers "$1" && return 0
    kill -0 "$demo" 2>/dev/null || return 1
    sleep 0.25
  done
  return 1
}

# start_demo WHO COPY PORT: in a session of its own, so that Ctrl-C can be given to its whole group and to nothing else.
start_demo() {
  (cd "$2" && run_as "$1" PORT="$3" setsid npm run demo >"$log" 2>&1) &
  demo=$!
}
press_ctrl_c() {
  local pid began
  pid="$(named "$1" '^npm run demo')"
  began="$(date +%s)"
  [ -n "$pid" ] && kill -INT -- "-$(ps -o pgid= -p "$pid" | tr -d ' ')" || return 1
  wait "$demo" 2>/dev/null
  [ $(($(date +%s) - began)) -le 10 ]
}
kill_hard() {
  local pid
  pid="$(named "$1" '^node scripts/demo.mjs')"
  [ -n "$pid" ] && kill -KILL "$pid" || return 1
  wait "$demo" 2>/dev/null
  return 0
}

# What says that the data are the same: the id and the size of the demo's run.
data_of() {
  (cd "$2" && run_as "$1" npm run --silent docket -- run status demo --json 2>/dev/null) | tail -n 1 |
    node -e 'const { run, name, revisions } = JSON.parse(require("fs").readFileSync(0, "utf8")); console.log(JSON.stringify({ run, name, revisions }))' 2>/dev/null
}
same_data() { [ -n "$1" ] && [ "$1" = "$2" ]; }
port_is_refused() {
  (cd "$2" && run_as "$1" PORT="$3" npm run demo >"$log.refused" 2>&1)
  [ "$?" = 2 ] && grep -q "Port $3 is taken" "$log.refused"
}
tests_pass() {
  (cd "$2" && run_as "$1" npm test >"$log" 2>&1) && tail -n 1 "$log" | grep -Eq '^[1-9][0-9]* passed, 0 failed$'
}
migrations_are_current() { (cd "$2" && run_as "$1" npm run prisma -- migrate status >"$log" 2>&1); }

# everything WHO: all proofs in a copy of their own.
everything() {
  local who="$1" copy="$base/a copy of $1" port before
  port="$(free_port)"
  log="$base/$who.log"
  git clone -q "$here" "$copy"
  [ "$who" = user ] && [ "$(id -u)" = 0 ] && chown -R "$user" "$copy"
  say "── as $who, on port $port, in a path with spaces"

  start_demo "$who" "$copy" "$port"
  prove "$who: npm run demo on a fresh clone prints its address and answers" until_announced "$port" || return
  prove "$who: a second demo on the same port says so and how to choose another" port_is_refused "$who" "$copy" "$port"
  before="$(data_of "$who" "$copy")"
  prove "$who: Ctrl-C ends it within ten seconds" press_ctrl_c "$copy"
  prove "$who: nothing is left running" none_left "$copy"

  start_demo "$who" "$copy" "$port"
  prove "$who: it starts again" until_announced "$port"
  prove "$who: it goes on with the same data" same_data "$before" "$(data_of "$who" "$copy")"
  prove "$who: kill -9 ends the demo" kill_hard "$copy"
  start_demo "$who" "$copy" "$port"
  prove "$who: it starts again on the same port" until_announced "$port"
  prove "$who: it goes on with the same data after kill -9" same_data "$before" "$(data_of "$who" "$copy")"
  prove "$who: Ctrl-C ends it within ten seconds again" press_ctrl_c "$copy"
  prove "$who: nothing is left running again" none_left "$copy"
  prove "$who: npm run prisma -- migrate status says: up to date" migrations_are_current "$who" "$copy"
  [ "$tests" = yes ] || return
  rm -rf "$copy/node_modules" "$copy/.next" "$copy/prisma/generated" # npm test, too, starts from nothing
  prove "$who: npm test from nothing" tests_pass "$who" "$copy"
  say "        $(tail -n 1 "$log")"
  prove "$who: the tests leave nothing running" none_left "$copy"
}

clean_up() {
  local pid
  for pid in $(processes_in "$base"); do kill -KILL "$pid" 2>/dev/null; done
  wait
  [ "$made_user" = yes ] && userdel -r "$user" 2>/dev/null
  rm -rf "$base"
}
trap clean_up EXIT

# Another copy runs all the while, on its own port and with its own data.
git clone -q "$here" "$base/the neighbour"
log="$base/neighbour.log"
neighbour_port="$(free_port)"
start_demo self "$base/the neighbour" "$neighbour_port"
prove "another copy runs on port $neighbour_port" until_announced "$neighbour_port"
neighbour="$demo"

if [ "$(id -u)" = 0 ]; then
  useradd --create-home "$user" && made_user=yes
  everything root
fi
everything user
prove "the other copy answers still" answers "$neighbour_port"
demo="$neighbour"
prove "the other copy ends with its own Ctrl-C" press_ctrl_c "$base/the neighbour"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
