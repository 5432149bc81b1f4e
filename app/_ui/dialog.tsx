'use client';

import clsx from 'clsx';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  /** At the lower edge, over the full width: for thumbs. */
  sheet?: boolean;
  children: ReactNode;
};

/** A dialog that takes the focus, gives it back, and closes by Escape; keys of the desk rest while it is open. */
export function Dialog({ open, onOpenChange, title, description, sheet, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(10_12_16/0.45)]" />
        <Radix.Content
          aria-describedby={description ? undefined : ''}
          className={clsx(
            'fixed z-50 flex flex-col gap-4 overflow-y-auto border border-line bg-raised p-4 text-text shadow-float',
            sheet
              ? 'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-md pb-[max(16px,env(safe-area-inset-bottom))]'
              : 'top-[12dvh] left-1/2 max-h-[76dvh] w-[min(480px,calc(100vw-32px))] -translate-x-1/2 rounded-md',
          )}
        >
          <div className="pr-16">
            <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
            {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
          </div>
          {children}
          {/* Last in order, so that the focus goes to what the dialog is for. */}
          <Radix.Close className={buttonClass('quiet', 'absolute! top-3 right-2')}>Close</Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
