import { PlainPage } from './_ui/plain-page.tsx';

export default function NotFound() {
  return (
    <PlainPage title="There is nothing at this address">
      It may have been mistyped, or what was here is not for your role. Ids are compared exactly, letter by letter.
    </PlainPage>
  );
}
