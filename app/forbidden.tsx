import { PlainPage } from './_ui/plain-page.tsx';

export default function Forbidden() {
  return (
    <PlainPage title="Your role does not open this page">
      You are signed in, and what you asked for belongs to another role. If your role has just changed, this page
      follows it at once.
    </PlainPage>
  );
}
