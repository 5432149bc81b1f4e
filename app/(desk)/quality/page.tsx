import type { Metadata } from 'next';
import { counted, intervalText, percentText, rateText } from '@/app/_manager/figures.ts';
import { Section } from '@/app/_manager/parts.tsx';
import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { toJson } from '@/app/_server/json.ts';
import { Empty } from '@/app/_ui/states.tsx';
import { FEW_BELOW, rate, tooFew } from '@/lib/quality/precision.ts';
import { disagreements, qualityChoices, type VersionQuality, versionQuality } from '@/lib/quality/quality.db.ts';
import { Agreement } from './agreement.tsx';
import { Examples } from './examples.tsx';
import { Filter } from './filter.tsx';
import { Labels } from './labels.tsx';

export const metadata: Metadata = { title: 'Quality' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Versions of one policy that stand side by side. */
const VERSIONS_SHOWN = 3;
const EXAMPLES_SHOWN = 12;

/** How often people named the label the machine had flagged: reviewed cases only, and said so. */
export default async function Page({ searchParams }: Props) {
  await requireRight('quality.read');
  const asked = await searchParams;
  const choices = await qualityChoices(db());
  const slugs = [...new Set(choices.versions.map((version) => version.slug))];
  const slug = slugs.find((one) => one === asked.policy) ?? slugs[0];
  const source = choices.sources.find((one) => one === asked.source) ?? null;
  const policyVersions = choices.versions.filter((version) => version.slug === slug).slice(0, VERSIONS_SHOWN);
  const found: VersionQuality[] = [];
  for (const { policyVersion } of policyVersions) {
    const one = await versionQuality(db(), { policyVersion, source });
    if (one) found.push(one);
  }
  const newest = found[0];
  const examples = newest
    ? await disagreements(db(), { policyVersion: newest.policyVersion, source, limit: EXAMPLES_SHOWN })
    : [];
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1">
          <h1 className="text-title">Quality</h1>
          <p className="mt-1 max-w-[80ch] text-read">
            {newest ? sentence(newest) : 'Nothing has been classified yet.'}
          </p>
        </div>
        {slug !== undefined && <Filter slugs={slugs} sources={choices.sources} slug={slug} source={source} />}
      </div>
      {newest ? (
        <Figures found={found} newest={newest} examples={toJson(examples)} />
      ) : (
        <Empty title="There is nothing to judge yet">
          Figures come here once a run has classified something and people have reviewed some of it.
        </Empty>
      )}
    </div>
  );
}

type FiguresProps = {
  found: readonly VersionQuality[];
  newest: VersionQuality;
  examples: Parameters<typeof Examples>[0]['items'];
};

function Figures({ found, newest, examples }: FiguresProps) {
  return (
    <>
      {newest.labels.length > 0 ? (
        <Section
          id="labels"
          title="Precision by label, reviewed only"
          about={`Of the decisions whose score reached the review threshold and that a person has reviewed, how many of those reviews name the label. The cases were not drawn at random, so this is not the precision over everything, and recall is unknown: nobody is asked about what the machine allowed. Bars are 95% intervals (Wilson); a dashed one rests on fewer than ${FEW_BELOW} reviews, too few to say.`}
        >
          <Labels versions={toJson(found)} />
        </Section>
      ) : (
        <p className="max-w-[80ch] text-muted">
          The classifier of this policy answers with a tag or a word, not with scores: there is no threshold to be right
          or wrong about. What people made of its answers stands below.
        </p>
      )}
      <Section
        id="agreement"
        title={`What people said to what ${newest.policyVersion} said`}
        about="A restrict by a reviewer is a proposal; a moderator decides on it."
      >
        <Agreement agreement={newest.agreement} />
      </Section>
      <Section
        id="examples"
        title="Newest disagreements"
        about="Reviews that do not name a label the machine had flagged. Open one to see all that happened to it."
      >
        <Examples items={examples} />
      </Section>
    </>
  );
}

/** One sentence that can be repeated: the label with the most reviews, or that there are too few of all. */
function sentence(version: VersionQuality): string {
  const best = version.labels.toSorted((a, b) => b.reviewed - a.reviewed)[0];
  const asked = version.decisions + version.withoutDecision;
  const coverage = `The machine had an opinion on ${percentText(version.decisions, asked)} of ${counted(asked, 'revision')}.`;
  if (version.labels.length === 0) return coverage;
  if (!best || best.reviewed === 0) return `No flagged decision has been reviewed yet. ${coverage}`;
  const precision = rate(best.named, best.reviewed);
  if (tooFew(precision)) {
    return `No label has been reviewed often enough to say anything: most is ${best.label} with ${best.reviewed} of the ${FEW_BELOW} it needs. ${coverage}`;
  }
  return `${best.label}: ${rateText(precision)} precision among reviewed only, ${intervalText(precision)}, from ${counted(best.reviewed, 'review')} of ${counted(best.flagged, 'flagged decision')}. ${coverage}`;
}
