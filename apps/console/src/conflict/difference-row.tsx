import { useId } from 'react';
import { valueText } from '../record/changes.ts';
import type { Difference, Value } from './merge.ts';

export type Side = 'theirs' | 'mine';

interface Properties {
  readonly label: string;
  readonly difference: Difference;
  readonly chosen: Side | null;
  readonly onChoose: (side: Side) => void;
}

const TITLES = { theirs: 'Theirs', mine: 'Yours' } as const;

/** A field before the changes, in their version and in mine. */
export function DifferenceRow({ label, difference, chosen, onChoose }: Properties) {
  const group = useId();
  const { base, needsChoice, change, isTheirs } = difference;
  const Version = needsChoice ? 'label' : 'div';
  const kept: Side | null = needsChoice ? chosen : change !== null && !isTheirs ? 'mine' : 'theirs';
  return (
    <fieldset className="difference">
      <legend>{label}</legend>
      <div>
        <span className="hint">Before</span>
        <Shown value={base} />
      </div>
      {(['theirs', 'mine'] as const).map((side) => (
        <Version key={side} className={side === kept ? 'taken' : ''}>
          {needsChoice ? (
            <span>
              <input type="radio" name={group} checked={chosen === side} onChange={() => onChoose(side)} />{' '}
              {TITLES[side]}
            </span>
          ) : (
            <span className="hint">
              {TITLES[side]}
              {side === kept && ' ✓ kept'}
            </span>
          )}
          <Shown value={difference[side]} />
        </Version>
      ))}
    </fieldset>
  );
}

function Shown({ value }: { readonly value: Value }) {
  if ('secret' in value) return <span>{value.secret}</span>;
  return <span>{'reference' in value ? `Reference ${value.reference}` : valueText(value.json)}</span>;
}
