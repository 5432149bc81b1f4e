'use client';

import { signOut } from 'next-auth/react';
import { useTheme } from 'next-themes';
import type { Role } from '@/lib/access/roles.ts';
import { buttonClass } from '../_ui/button.tsx';
import { useKeyboard } from '../_ui/keyboard.tsx';
import { Menu, MenuChoice, MenuHeading, MenuItem, MenuLine, MenuSwitch } from '../_ui/menu.tsx';

const THEMES = [
  { value: 'system', name: 'As the system' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
];

/** Who is signed in and as what; how the desk looks and listens; the way out. */
export function PersonMenu({ name, email, role }: { name: string; email: string; role: Role }) {
  const { theme, setTheme } = useTheme();
  const { lettersOn, setLettersOn } = useKeyboard();
  return (
    <Menu
      trigger={
        <button type="button" className={buttonClass('quiet', '-mr-2 min-w-0')}>
          <span className="max-w-40 truncate max-md:hidden">{name}</span>
          <span className="font-normal text-muted">{role}</span>
          <span aria-hidden="true">▾</span>
        </button>
      }
    >
      <MenuHeading>
        {name} · {email}
      </MenuHeading>
      <MenuLine />
      <MenuHeading>Colours</MenuHeading>
      <MenuChoice value={theme ?? 'system'} choices={THEMES} onChange={setTheme} />
      <MenuLine />
      <MenuSwitch on={lettersOn} onChange={setLettersOn}>
        Single-letter keys
      </MenuSwitch>
      <MenuLine />
      <MenuItem onSelect={() => void signOut({ callbackUrl: '/signin' })}>Sign out</MenuItem>
    </Menu>
  );
}
