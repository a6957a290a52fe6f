import { CircleCheck } from 'lucide-react';
import { IncidentRow } from '../incidents/incident-row.tsx';
import { projectPath } from '../shell/addresses.ts';
import { formatCount } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import type { OverviewProperties } from './overview-figures.ts';

export function OpenIncidents({ projectId, overview: { incidents } }: OverviewProperties) {
  const { open, newest } = incidents;
  const path = `${projectPath(projectId)}/incidents`;
  return (
    <Panel
      title="Open incidents"
      link={[path, open > newest.length ? `All ${formatCount(open)}` : 'Incidents']}
    >
      {newest.length === 0 ? (
        <p className="with-icon hint">
          <CircleCheck className="good" />
          No open incidents.
        </p>
      ) : (
        <ol className="rows">
          {newest.map((incident) => (
            <li key={incident.id}>
              <IncidentRow projectId={projectId} incident={incident} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
