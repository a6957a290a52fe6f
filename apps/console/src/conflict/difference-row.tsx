import { useId } from 'react';
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
  const kept: Side | null = needsChoice ? chosen : change !== null && !isTheirs ? 'mine' : 'theirs';
  return (
    <fieldset className="difference">
      <legend>{label}</legend>
      <div>
        <span className="hint">Before</span>
        <Shown value={base} />
      </div>
      {(['theirs', 'mine'] as const).map((side) => (
        <div key={side} className={side === kept ? 'taken' : ''}>
          {needsChoice ? (
            <label className="choice">
              <span>
                <input type="radio" name={group} checked={chosen === side} onChange={() => onChoose(side)} />{' '}
                {TITLES[side]}
              </span>
              <Shown value={difference[side]} />
            </label>
          ) : (
            <>
              <span className="hint">
                {TITLES[side]}
                {side === kept && ' ✓ kept'}
              </span>
              <Shown value={difference[side]} />
            </>
          )}
        </div>
      ))}
    </fieldset>
  );
}

function Shown({ value }: { readonly value: Value }) {
  if ('secret' in value) return <em>{value.secret}</em>;
  if ('reference' in value) return <span>Reference {value.reference}</span>;
  const { json } = value;
  if (json === undefined) return <em>not set</em>;
  if (json === '') return <em>empty</em>;
  if (typeof json === 'boolean') return <span>{json ? 'Yes' : 'No'}</span>;
  if (typeof json === 'object' && json !== null) return <pre>{JSON.stringify(json, null, 2)}</pre>;
  return <span>{String(json)}</span>;
}
