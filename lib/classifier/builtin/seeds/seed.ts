/**
 * Sentences written for this project where the public sets have too few. `positive` ones carry the label; `negative`
 * ones are near misses (idiom, games, news, help, quotation) that do not, and carry neither of the other seed labels.
 */
export interface SeedSet {
  readonly label: 'threat' | 'self_harm' | 'violence';
  readonly positive: readonly string[];
  readonly negative: readonly string[];
}
