'use client';

import { Button } from './_ui/button.tsx';
import { PlainPage } from './_ui/plain-page.tsx';

/** What a bug looks like from outside: no detail of it reaches the browser but a number to find it in the log. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <PlainPage title="This page could not be made">
      <p>Something went wrong on our side, or the database cannot be reached. Nothing you sent before is lost.</p>
      {error.digest && (
        <p className="mt-2">
          For whoever runs this desk: <span className="code">{error.digest}</span>
        </p>
      )}
      <Button className="mt-3" onClick={reset}>
        Try again
      </Button>
    </PlainPage>
  );
}
