import { randomBytes } from 'node:crypto';
import { checkCall } from '../../lib/classifier/check.ts';
import { classifyWhole } from '../../lib/classifier/whole.ts';
import { openClassifier, operatorClassifiers } from '../classifiers.ts';
import { CliError, type Command } from '../command.ts';

export const command: Command = {
  name: 'classifier',
  summary: 'Ask a classifier one question of our own and say whether its answer can be used',
  usage: ['classifier check NAME'],
  options: {},
  needsDatabase: false,
  run: async (context) => {
    const [verb, name, ...more] = context.positionals;
    if (verb !== 'check' || name === undefined || more.length > 0) {
      throw new CliError('bad_usage', 'use: classifier check NAME');
    }
    const classifier = openClassifier(name, await operatorClassifiers(context.env), context.env);
    try {
      const { adapter, models } = classifier;
      const [model] = models;
      const secret = randomBytes(32).toString('hex');
      const result = await classifyWhole(classifier, checkCall({ adapter, model }), { secret, signal: context.signal });
      const ok = result.outcome === 'ok';
      return {
        exit: ok ? 0 : 1,
        json: {
          classifier: name,
          adapter,
          model,
          outcome: result.outcome,
          latency_ms: result.latencyMs,
          units: result.units ?? 0,
          ...(ok && { answered_by: result.model }),
        },
        text: [ok ? `${name} answers as asked` : `${name} does not answer as asked: ${result.outcome}`],
      };
    } finally {
      await classifier.close();
    }
  },
};
