import { msUntil } from '@/app/_server/claim-json.ts';
import { actRoute } from '@/app/_server/route.ts';
import { held } from '@/app/_server/schemas.ts';
import { ok } from '@/lib/kernel/result.ts';
import { heartbeat } from '@/lib/review/claim.db.ts';

/** Says that the case is still being read. */
export const POST = actRoute('case.review', held, async ({ user, input, params, pool }) => {
  const renewed = await heartbeat(pool, { caseId: params.id ?? '', token: input.token, userId: user.id });
  return renewed.ok ? ok({ expiresInMs: msUntil(renewed.value.expiresAt) }) : renewed;
});
