import { buttonClass } from '@/app/_ui/button.tsx';

type FilterProps = { slugs: readonly string[]; sources: readonly string[]; slug: string; source: string | null };

/** What the figures are about. It stands in the address, so that a figure can be passed on; it needs no script. */
export function Filter({ slugs, sources, slug, source }: FilterProps) {
  return (
    <form method="get" action="/quality" className="flex flex-wrap items-end gap-2">
      <label className="flex flex-col gap-1">
        <span className="label">Policy</span>
        <select name="policy" defaultValue={slug} className="field h-8 py-1 max-md:h-11">
          {slugs.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label className="flex min-w-40 flex-col gap-1">
        <span className="label">Source</span>
        <select name="source" defaultValue={source ?? ''} className="field h-8 py-1 max-md:h-11">
          <option value="">all sources</option>
          {sources.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <button type="submit" className={buttonClass()}>
        Show
      </button>
    </form>
  );
}
