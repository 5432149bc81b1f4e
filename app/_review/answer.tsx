import type { ItemJson } from '../_server/case-json.ts';
import { Scores } from './scores.tsx';

type AnswerProps = {
  decision: NonNullable<ItemJson['decision']>;
  rules: ItemJson['policy']['rules'];
  shown: string | null;
  onShow?: (label: string) => void;
};

/** What the classifier answered, as its contract asks: scores against thresholds, one tag, or one word. */
export function Answer({ decision: { classification }, rules, shown, onShow }: AnswerProps) {
  if ('scores' in classification) {
    return <Scores scores={classification.scores} rules={rules} shown={shown} onShow={onShow} />;
  }
  return (
    <p>
      <span className="label">Answer</span>{' '}
      <span className="code">{'tag' in classification ? classification.tag : classification.word}</span>
    </p>
  );
}
