import { redirect } from 'next/navigation';
import { requireRight } from './_server/guard.ts';
import { homeOf } from './_shell/nav.ts';

/** No page of its own: each role begins where its work is. */
export default async function Home() {
  redirect(homeOf((await requireRight(null)).role));
}
