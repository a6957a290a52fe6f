import type { ReactNode } from 'react';
import { lineDiff } from './line-diff.ts';
import { shownChange, type FieldChange } from './shown-change.ts';

interface Properties {
  readonly change: FieldChange;
  /** Whether the record was created, so fields have no earlier value. */
  readonly isFirst?: boolean;
  readonly children?: ReactNode;
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

export function ChangeDiff({ change, isFirst = false, children }: Properties) {
  const shown = shownChange(change);
  return (
    <div className="change">
      <span className="hint">{shown.label}</span>
      {shown.kind === 'secret' && <em>{shown.text} (secret)</em>}
      {shown.kind === 'values' && (
        <span className="values">
          {!isFirst && (
            <>
              <del>{shown.before}</del> →{' '}
            </>
          )}
          <ins>{shown.after}</ins>
        </span>
      )}
      {shown.kind === 'lines' && (
        <pre className="lines">
          {lineDiff(shown.before, shown.after).map(({ kind, text }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines may be equal, and have no state
            <span key={index} className={kind}>
              {SIGNS[kind]} {text}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
      {children}
    </div>
  );
}
