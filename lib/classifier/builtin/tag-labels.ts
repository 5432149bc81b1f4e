/** The tags of the built-in head, one facet of a knowledge-base document each, in the order the weights file stores. */
export const FACETS = {
  document_type: ['guideline', 'procedure', 'form', 'letter', 'minutes', 'leaflet'],
  care_setting: ['hospital_ward', 'emergency', 'primary_care', 'home_care', 'pharmacy', 'no_setting'],
  retrieval_fit: ['fit', 'outdated', 'fragment', 'private', 'unreadable'],
} as const;

export type Facet = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as Facet[];

/** Every tag of every facet; no two facets share one. */
export const TAGS: readonly string[] = FACET_NAMES.flatMap((facet) => [...FACETS[facet]]);

/** @returns the facet whose tags are exactly these, in any order; null where there is none. */
export function facetOf(labels: readonly string[]): Facet | null {
  const asked = new Set(labels);
  if (asked.size !== labels.length) return null;
  const found = FACET_NAMES.find(
    (facet) => FACETS[facet].length === asked.size && FACETS[facet].every((tag) => asked.has(tag)),
  );
  return found ?? null;
}
