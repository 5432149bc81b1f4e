/** The labels of the built-in classifier, in the order in which the weights file stores them. */
export const BUILTIN_LABELS = [
  'harassment',
  'hate',
  'self_harm',
  'sexual',
  'spam',
  'threat',
  'toxicity',
  'violence',
] as const;

export type BuiltinLabel = (typeof BUILTIN_LABELS)[number];
