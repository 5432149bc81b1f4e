/**
 * The rows of a bundle, written by the database itself in RFC 8785 form. PostgreSQL escapes strings as ECMAScript does;
 * only numbers of a classifier it would write in another way, so the members that hold them are left open and closed by
 * the program. Every finished bundle is judged by the schema before it is published: a mistake here cannot get out.
 */

/** Between the columns of a line. JSON holds no raw control character, so nothing of a row can be taken for it. */
export const FIELD_SEPARATOR = '\u001f';

/** What one copy is about. The ids stand in the statement itself, for COPY takes no parameters. */
export type RowsWanted = {
  readonly runId: string;
  readonly exportId: string;
  /** Whether rows carry what was shown to the classifier, and reviews their notes. */
  readonly withText: boolean;
};

const ID = /^[0-9a-f_xp-]{1,64}$/;
const literal = (id: string): string => {
  if (!ID.test(id)) throw new Error('an id of another form');
  return `'${id}'`;
};

const text = (column: string): string => `to_json(${column})::text`;
const textOrNull = (column: string): string => `coalesce(to_json(${column})::text, 'null')`;
const instant = (column: string): string =>
  `'"' || to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`;

/** Members of a JSON object: names, all ASCII, with the SQL that writes each value; null is written by the program. */
type Members = Readonly<Record<string, string | null>>;

/** @returns the columns of the object with its members in order, one more than there are open ones. */
function objectColumns(members: Members): string[] {
  const columns: string[] = [];
  let column = "'{";
  for (const [index, [name, value]] of Object.entries(members)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .entries()) {
    column += `${index === 0 ? '' : ','}"${name}":`;
    if (value === null) {
      columns.push(`${column}'`);
      column = "'";
    } else column += `' || ${value} || '`;
  }
  return [...columns, `${column}}'`];
}

/**
 * The tries of an item. One whose worker vanished has no outcome of its own; it is named as what it was. Each of these
 * three asks by an index for one row's sake: a join would be quicker with the right plan, and ruinous with the plan that
 * a table without statistics gets, as it is right after a run.
 */
const triesOf = (workItem: string): string => `(
  SELECT '[' || coalesce(string_agg('{"at":' || ${instant('a.started_at')} || ',"number":' || a.number || ',"outcome":'
                                    || to_json(coalesce(o.outcome, 'lease_expired'))::text || '}', ',' ORDER BY a.number), '')
         || '],"attempts":' || count(*)
  FROM attempt a LEFT JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number
  WHERE a.work_item_id = ${workItem})`;

const NOTE = `(
  SELECT n.text FROM note n
  WHERE n.kind = 'case' AND n.subject = 'case:' || v.case_id::text AND n.author = 'user:' || v.user_id::text
  ORDER BY n.at DESC, n.id DESC LIMIT 1)`;

/** The last review of the key: what was reviewed again stands as its last review says. */
const lastReview = (withText: boolean): string => {
  const columns = objectColumns({
    verdict: text('v.verdict'),
    labels: text('v.labels'),
    reason: textOrNull('v.reason_code'),
    role: text('v.role'),
    at: instant('v.at'),
    ...(withText ? { note: textOrNull(NOTE) } : {}),
  });
  return `coalesce((
    SELECT ${columns.join()} FROM review v WHERE v.decision_id = i.decision_id ORDER BY v.at DESC, v.id DESC LIMIT 1), 'null')`;
};

const SINCE = `
  CASE WHEN e.state IN ('rejected', 'reversed', 'withdrawn') THEN e.closed_at
       WHEN e.state = 'applied' THEN e.applied_at
       WHEN e.state = 'approved' THEN e.decided_at
       ELSE e.proposed_at END`;

/** The last action of the key, and since when it is in its state. */
const LAST_ACTION = `coalesce((
  SELECT ${objectColumns({ action: text('e.action'), state: text('e.state'), at: instant(SINCE) }).join()}
  FROM enforcement_action e WHERE e.decision_id = i.decision_id ORDER BY e.status_version DESC LIMIT 1), 'null')`;

/** @param workItem the item whose tries led here. */
const common = ({ exportId, withText }: RowsWanted, workItem: string): Members => ({
  content_id: text('i.content_id'),
  content_type: text('c.content_type'),
  source: text('c.source'),
  revision: text('i.revision'),
  // It brings `attempts` along, which comes right after it.
  attempt_lineage: triesOf(workItem),
  review: lastReview(withText),
  export_id: text(`${literal(exportId)}::text`),
  ...(withText
    ? {
        text: textOrNull('t.text'),
        title: textOrNull('t.title'),
        author_name: textOrNull('t.author_name'),
        parent_text: textOrNull('t.parent_text'),
      }
    : {}),
});

const textOf = (withText: boolean): string =>
  withText ? 'LEFT JOIN revision_text t ON t.content_id = i.content_id AND t.revision = i.revision' : '';

const copyInOrder = (select: string): string => `
  COPY (${select} ORDER BY i.content_id COLLATE "C", i.revision COLLATE "C")
  TO STDOUT WITH (FORMAT csv, DELIMITER E'\\x1f', QUOTE E'\\x01')`;

/**
 * One line a decision that answers an item of the run. Its columns: what it is counted as (source as JSON, content type,
 * verdict, `t` where it was deduplicated), then the row in three parts, with `because` and `classification` between them.
 */
export function copyDecisions(wanted: RowsWanted): string {
  const items = `i.run_id = ${literal(wanted.runId)} AND i.state IN ('classified', 'exported')`;
  const [head, middle, tail] = objectColumns({
    ...common(wanted, 'd.work_item_id'),
    // The one member that may be missing comes right after this one.
    decision_id: `${text('i.decision_id')} || CASE WHEN i.deduplicated THEN ',"deduplicated":true' ELSE '' END`,
    text_sha256: text('d.text_sha256'),
    input_sha256: text('d.input_sha256'),
    policy_version: text('d.policy_version'),
    prompt_sha256: text('d.prompt_sha256'),
    contract_version: text('d.contract_version'),
    classifier: text('d.classifier'),
    model: text('d.model'),
    because: null,
    classification: null,
    verdict: text('d.verdict'),
    committed_at: instant('d.committed_at'),
    effect: text('i.effect'),
    enforcement: LAST_ACTION,
  });
  return copyInOrder(`
    SELECT to_json(c.source), c.content_type, d.verdict, i.deduplicated,
           ${head}, d.because, ${middle}, d.classification, ${tail}
    FROM work_item i
    JOIN decision d ON d.decision_id = i.decision_id
    JOIN content_item c ON c.content_id = i.content_id
    ${textOf(wanted.withText)}
    WHERE ${items}`);
}

/** One line an exception of the run: source as JSON, content type, the row. */
export function copyExceptions(wanted: RowsWanted): string {
  const items = `i.run_id = ${literal(wanted.runId)} AND i.state = 'failed_review'`;
  const [row] = objectColumns({
    ...common(wanted, 'i.id'),
    decision_id: text('i.decision_id'),
    text_sha256: text('h.text_sha256'),
    input_sha256: text('h.input_sha256'),
    policy_version: text('p.policy_version'),
    code: text('i.failure_code'),
    failed_at: instant('i.failed_at'),
  });
  return copyInOrder(`
    SELECT to_json(c.source), c.content_type, ${row}
    FROM work_item i
    JOIN run p ON p.id = i.run_id
    JOIN content_item c ON c.content_id = i.content_id
    JOIN revision h ON h.content_id = i.content_id AND h.revision = i.revision
    ${textOf(wanted.withText)}
    WHERE ${items}`);
}
