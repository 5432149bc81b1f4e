import type { ItemJson } from '../_server/case-json.ts';
import { StrangerText } from '../_ui/stranger-text.tsx';
import { Scores } from './scores.tsx';

type AnswerProps = {
  decision: NonNullable<ItemJson['decision']>;
  rules: ItemJson['policy']['rules'];
  /** The text that was judged; null once it has been erased. */
  text: string | null;
  shown: string | null;
  onShow?: (label: string) => void;
};

/** What the classifier answered, as its contract asks: scores against thresholds, one tag with its passage, or one word. */
export function Answer({ decision: { classification }, rules, text, shown, onShow }: AnswerProps) {
  if ('scores' in classification) {
    return <Scores scores={classification.scores} rules={rules} shown={shown} onShow={onShow} />;
  }
  if ('word' in classification) {
    return (
      <p>
        <span className="label">Answer</span> <span className="code">{classification.word}</span>
      </p>
    );
  }
  const { tag, start, end } = classification;
  const passage = text === null || start === null || end === null ? null : [...text].slice(start, end).join('');
  return (
    <figure className="flex max-w-[68ch] flex-col gap-1">
      <figcaption>
        <span className="label">Tag</span> <span className="font-medium">{tag}</span>
        {passage !== null && <span className="text-muted">, shown by this passage</span>}
      </figcaption>
      {passage !== null && (
        <blockquote className="border-l-2 border-line pl-3 text-read">
          <StrangerText text={passage} />
        </blockquote>
      )}
    </figure>
  );
}
