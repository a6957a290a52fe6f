import type { Incident } from '@plugin-config/client';
import { projectPath } from '../shell/addresses.ts';
import { Panel } from '../ui/panel.tsx';
import { IncidentRow } from './incident-row.tsx';

interface Properties {
  readonly projectId: number;
  /** Its newest open incidents. */
  readonly incidents: readonly Incident[];
}

/** The open incidents of a record, if there are any. */
export function RecordIncidents({ projectId, incidents }: Properties) {
  if (incidents.length === 0) return null;
  return (
    <Panel title="Open incidents" link={[`${projectPath(projectId)}/incidents?show=all`, 'All incidents']}>
      <ul className="rows">
        {incidents.map((incident) => (
          <li key={incident.id}>
            <IncidentRow projectId={projectId} incident={incident} omits="record" />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
