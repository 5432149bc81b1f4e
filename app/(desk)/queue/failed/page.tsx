import type { Metadata } from 'next';
import { QueuePage } from '../queue-page.tsx';

export const metadata: Metadata = { title: 'Failed' };

export default function Page() {
  return <QueuePage queue="failed" />;
}
