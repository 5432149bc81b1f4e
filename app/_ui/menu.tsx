'use client';

import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** A menu under a button. */
export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    // Not modal: hiding the page from assistive technology would hide controls that can still take the focus.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-52 rounded-md border border-line bg-raised p-1 text-ui text-text shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const ITEM =
  'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 outline-none select-none data-highlighted:bg-sunken max-md:min-h-11';

export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Radix.Item className={ITEM} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-2 pb-1 text-small text-muted">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}

type Choice = { value: string; name: string };

/** One of several, as a group of radio items. */
export function MenuChoice(props: { value: string; choices: readonly Choice[]; onChange: (value: string) => void }) {
  return (
    <Radix.RadioGroup value={props.value} onValueChange={props.onChange}>
      {props.choices.map(({ value, name }) => (
        <Radix.RadioItem key={value} value={value} className={ITEM}>
          <span aria-hidden="true" className="w-3 text-accent">
            {value === props.value ? '●' : ''}
          </span>
          {name}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuSwitch(props: { on: boolean; onChange: (on: boolean) => void; children: ReactNode }) {
  return (
    <Radix.CheckboxItem className={ITEM} checked={props.on} onCheckedChange={props.onChange}>
      <span aria-hidden="true" className="w-3 text-accent">
        {props.on ? '✓' : ''}
      </span>
      {props.children}
    </Radix.CheckboxItem>
  );
}
