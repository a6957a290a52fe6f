import type { Overview } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { Time } from '../ui/texts.tsx';
import { ChangeSentence } from './activity-item.tsx';

interface Properties {
  readonly projectId: number;
  readonly change: Pick<Overview['changes'][number], 'actor' | 'activity' | 'created_at'>;
  /** What was changed. */
  readonly children: ReactNode;
}

/** A change in one line. */
export function ChangeRow({ projectId, change, children }: Properties) {
  return (
    <li>
      <span>
        <ChangeSentence projectId={projectId} change={change}>
          {children}
        </ChangeSentence>
      </span>
      <span className="hint">
        <Time at={change.created_at} />
      </span>
    </li>
  );
}
