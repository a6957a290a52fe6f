import type { Overview } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { Time } from '../ui/texts.tsx';
import { ACTIVITIES } from './activity-item.tsx';
import { ActorName } from './actor-name.tsx';

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
        <ActorName actor={change.actor} projectId={projectId} /> {ACTIVITIES[change.activity]} {children}
      </span>
      <span className="hint">
        <Time at={change.created_at} />
      </span>
    </li>
  );
}
