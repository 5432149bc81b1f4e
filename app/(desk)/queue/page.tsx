import type { Metadata } from 'next';
import { QueuePage } from './queue-page.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return { title: (await searchParams).tier === 'moderator' ? 'Escalated' : 'Review' };
}

export default async function Page({ searchParams }: Props) {
  return <QueuePage queue={(await searchParams).tier === 'moderator' ? 'moderator' : 'review'} />;
}
