import { countsFor } from '@/app/_server/counts.ts';
import { viewRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';

export const GET = viewRoute('content.read', nothing, ({ user }) => countsFor(user));
