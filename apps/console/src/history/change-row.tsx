import type { Overview } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { Time } from '../ui/texts.tsx';
import { ChangeSentence } from './activity-item.tsx';

interface Properties {
  readonly projectId: number;
  readonly change: Pick<Overview['changes'][number], 'actor' | 'activity' | 'created_at'>;
  /** The labels of the fields to name. */
  readonly fields: readonly string[];
  /** What was changed. */
  readonly children: ReactNode;
}

/** A change in one line. */
export function ChangeRow({ projectId, change, fields, children }: Properties) {
  return (
    <li>
      <span>
        <ChangeSentence projectId={projectId} change={change}>
          {children}
        </ChangeSentence>
        {fields.length > 0 && <span className="hint">: {fields.join(', ')}</span>}
      </span>
      <span className="hint">
        <Time at={change.created_at} />
      </span>
    </li>
  );
}
