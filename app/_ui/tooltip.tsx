'use client';

import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export const TooltipProvider = Radix.Provider;

/** More about a thing that can take the focus. Never the only place where something needed stands. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-xs rounded-md border border-line bg-raised px-2 py-1 text-small text-text shadow-float"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
