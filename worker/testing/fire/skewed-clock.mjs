// Preloaded into a worker by a test: its clock is off by FIRE_SKEW_MS, as that of a badly kept machine is.
const skewMs = Number(process.env.FIRE_SKEW_MS);
const now = () => performance.timeOrigin + performance.now() + skewMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
  apply: (Target) => new Target(now()).toString(),
  get: (target, name) => (name === 'now' ? () => Math.round(now()) : Reflect.get(target, name)),
});
