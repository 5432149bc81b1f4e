/** Tables for a terminal that are Markdown at the same time. */

/** @param rows the first is the head; numbers are put to the right where `right` names their column. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const [head = []] = rows;
  const widths = head.map((_, at) => Math.max(3, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, at) => (right.includes(at) ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (right.includes(at) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
  return [line(head), rule, ...rows.slice(1).map(line)];
}
