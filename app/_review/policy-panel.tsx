import type { DeskPolicy } from '../_server/case-json.ts';

/** What the policy says about one label, beside the text it is about. */
export function PolicyPanel({ policy, shown, id }: { policy: DeskPolicy; shown: string | null; id: string }) {
  if (policy.policyVersion === null) {
    return (
      <section aria-labelledby={id}>
        <h2 id={id} tabIndex={-1} className="label">
          Policy
        </h2>
        <p className="mt-1 text-muted">No policy version stands behind this case. Decide by your own judgement.</p>
      </section>
    );
  }
  const label = policy.labels.find((one) => one.name === shown);
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="label">
        Policy: {policy.title} <span className="code">{policy.policyVersion}</span>
      </h2>
      {policy.labels.length === 0 && <p className="mt-2 max-w-[68ch] text-muted">{policy.purpose}</p>}
      {!label && <Definitions policy={policy} />}
      {label && (
        <div className="mt-2 flex flex-col gap-2" aria-live="off">
          <h3>
            {label.name}
            {label.support === 'low' && (
              <span className="ml-2 font-normal text-muted">the classifier knows this label poorly</span>
            )}
          </h3>
          <p>{label.definition}</p>
          <Examples title="It is" examples={label.examples} />
          <Examples title="It is not" examples={label.not_examples} />
        </div>
      )}
    </section>
  );
}

/** Where nothing points to one label, all of them in short. */
function Definitions({ policy }: { policy: DeskPolicy }) {
  return (
    <dl className="mt-2 flex flex-col gap-2">
      {policy.labels.map(({ name, definition }) => (
        <div key={name}>
          <dt className="font-semibold">{name}</dt>
          <dd className="text-muted">{definition}</dd>
        </div>
      ))}
    </dl>
  );
}

function Examples({ title, examples }: { title: string; examples: readonly string[] }) {
  if (examples.length === 0) return null;
  return (
    <div>
      <h4 className="label">{title}</h4>
      <ul className="mt-0.5 flex flex-col gap-0.5">
        {examples.map((example) => (
          <li key={example} className="border-l-2 border-line pl-2 text-muted">
            {example}
          </li>
        ))}
      </ul>
    </div>
  );
}
