'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import type { Role } from '@/lib/access/roles.ts';
import { buttonClass } from '../_ui/button.tsx';
import { useShortcut } from '../_ui/keyboard.tsx';
import { Menu, MenuItem } from '../_ui/menu.tsx';
import { Age } from '../_ui/now.tsx';
import { Wordmark } from '../_ui/wordmark.tsx';
import { type Counts, useCounts, type Waiting } from './counts.ts';
import { KeysHelp } from './keys-help.tsx';
import { homeOf, type NavEntry, navFor } from './nav.ts';
import { PersonMenu } from './person-menu.tsx';

type HeaderProps = { person: { name: string; email: string; role: Role }; counts: Counts };

export function Header({ person, counts: initial }: HeaderProps) {
  const counts = useCounts(initial);
  const here = useHere();
  const entries = navFor(person.role);
  // A role that sees every page has too many for one line on a tablet; it gets the menu there.
  const many = entries.length > 7;
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to the page
      </a>
      <div className="flex h-11 items-center gap-4 px-4 max-md:h-13">
        <Link href={homeOf(person.role)} aria-label="Docket, start page">
          <Wordmark />
        </Link>
        <nav
          aria-label="Desk"
          className={clsx('flex h-full min-w-0 flex-1 items-stretch gap-1', many ? 'max-xl:hidden' : 'max-md:hidden')}
        >
          {entries.map((entry) => (
            <NavLink key={entry.href} entry={entry} waiting={entry.count && counts[entry.count]} here={here} />
          ))}
        </nav>
        <div className={clsx('flex flex-1 justify-end', many ? 'xl:hidden' : 'md:hidden')}>
          <NavMenu entries={entries} counts={counts} here={here} />
        </div>
        <KeysHelp />
        <PersonMenu {...person} />
      </div>
      {entries.map((entry) => entry.letter && <NavKey key={entry.href} entry={entry} letter={entry.letter} />)}
    </header>
  );
}

/** The address without what does not tell pages apart. */
function useHere(): string {
  const path = usePathname();
  const tier = useSearchParams().get('tier');
  return path === '/queue' && tier === 'moderator' ? '/queue?tier=moderator' : path;
}

function NavLink({ entry, waiting, here }: { entry: NavEntry; waiting: Waiting | undefined; here: string }) {
  const current = here === entry.href;
  return (
    <Link
      href={entry.href}
      aria-current={current ? 'page' : undefined}
      className={clsx(
        'relative flex items-center gap-1.5 rounded-sm px-2 whitespace-nowrap hover:bg-sunken',
        current
          ? 'font-semibold after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:bg-text'
          : 'text-muted hover:text-text',
      )}
    >
      {entry.name}
      {waiting && <Count waiting={waiting} withAge={entry.count === 'review'} />}
    </Link>
  );
}

/** The figure, and for the main queue the age of its oldest case: the two things a shift is steered by. */
function Count({ waiting, withAge = false }: { waiting: Waiting; withAge?: boolean }) {
  return (
    <span className="tabular-nums">
      <span className={waiting.count > 0 ? 'font-semibold text-text' : 'text-muted'}>
        {waiting.count.toLocaleString('en')}
      </span>
      {withAge && waiting.oldestAt && (
        <span className="font-normal text-muted max-lg:hidden">
          {' · oldest '}
          <Age at={waiting.oldestAt} />
        </span>
      )}
    </span>
  );
}

function NavMenu({ entries, counts, here }: { entries: readonly NavEntry[]; counts: Counts; here: string }) {
  const router = useRouter();
  const current = entries.find((entry) => entry.href === here);
  return (
    <Menu
      trigger={
        <button type="button" className={buttonClass('quiet')}>
          {current?.name ?? 'Pages'} <span aria-hidden="true">▾</span>
        </button>
      }
    >
      {entries.map((entry) => (
        <MenuItem key={entry.href} onSelect={() => router.push(entry.href)}>
          <span className="flex-1">{entry.name}</span>
          {entry.count && counts[entry.count] && <Count waiting={counts[entry.count] as Waiting} />}
        </MenuItem>
      ))}
    </Menu>
  );
}

function NavKey({ entry, letter }: { entry: NavEntry; letter: string }) {
  const router = useRouter();
  useShortcut(`g ${letter}`, `Go to: ${entry.name}`, () => router.push(entry.href));
  return null;
}
