import { viewRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';
import { operations } from '@/lib/quality/operations.db.ts';

/** Workers, unfinished runs and queue ages as the database knows them now. */
export const GET = viewRoute('operations.read', nothing, ({ pool }) => operations(pool));
