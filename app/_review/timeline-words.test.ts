import { expect, test } from 'vitest';
import { type Entry, lineOf } from './timeline-words.ts';

const AT = '2026-11-30T12:00:00.000Z';
const state = (status: 'published' | 'restricted' | 'held', action: 'hide' | null = null) =>
  ({ status, rank: 'moderator', action }) as const;
const record = { kind: 'record', at: AT, revision: '1', decisionId: 'd', proposalId: null, note: null } as const;
const step = {
  kind: 'action',
  at: AT,
  actionId: 'a',
  action: 'hide',
  revision: '1',
  policyVersion: 'forum@1',
} as const;
const bare = {
  label: null,
  reasonCode: null,
  actor: null,
  actorName: null,
  statusVersion: null,
  closedAs: null,
  note: null,
};
const event = { kind: 'case', at: AT, caseId: 'c', revision: '1', policyVersion: 'forum@1', mode: 'hold' } as const;

test.each<[Entry, string]>([
  [
    { kind: 'arrival', at: AT, revision: '2', textSha256: 'ab', codePointCount: 3, createdAt: null },
    'Revision 2 arrived',
  ],
  [
    { kind: 'exception', at: AT, decisionId: 'd', revision: '1', policyVersion: 'forum@1', code: 'timeout' },
    'Classification under forum@1 ended without an answer',
  ],
  [{ ...event, event: 'skipped', actor: 'user:1', actorName: 'Robin', data: {} }, 'Robin skipped the case'],
  [
    { ...event, event: 'expired', actor: 'system', actorName: null, data: {} },
    'The system let the claim of a case run out',
  ],
  [{ ...step, ...bare, step: 'proposed', actor: 'policy:forum@1' }, '"hide" was proposed by the policy forum@1'],
  [{ ...step, ...bare, step: 'applied' }, '"hide" is applied'],
  [
    { ...step, ...bare, step: 'approved', actor: 'user:1', actorName: null },
    '"hide" was approved by someone who has left',
  ],
  [
    {
      ...record,
      ...{ version: 2, prior: state('published'), next: state('restricted', 'hide') },
      ...{ actor: 'user:1', actorName: 'Mika', reason: 'other', answers: 'action:a' },
    },
    'Record 2: public → restricted: hidden',
  ],
  [
    {
      ...record,
      ...{ version: 3, prior: state('held'), next: state('held') },
      ...{ actor: 'cli', actorName: null, reason: 'other', answers: 'record:2' },
    },
    'Record 3: stays held back',
  ],
])('%j reads as a sentence', (entry, sentence) => {
  expect(lineOf(entry).sentence).toBe(sentence);
});

test('a record says who, why, what it answers and with which rank', () => {
  const { detail } = lineOf({
    ...record,
    ...{ version: 3, prior: state('restricted', 'hide'), next: state('published') },
    ...{ actor: 'user:1', actorName: 'Olu', reason: 'appeal', answers: 'record:2' },
  });
  expect(detail).toBe('by Olu · reason appeal · goes back through record 2 · rank moderator');
});

test('an event nobody has words for is shown as it is called, not hidden', () => {
  const line = lineOf({ ...event, event: 'recounted', actor: 'system', actorName: null, data: {} });
  expect([line.sentence, line.quiet]).toEqual(['The system recounted', false]);
});
