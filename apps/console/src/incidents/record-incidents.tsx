import { alertsKey } from '../alerts/alerts-of.ts';
import { projectPath, type RecordRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { Panel } from '../ui/panel.tsx';
import { useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { IncidentRow } from './incident-row.tsx';

const REFRESH_MS = 15_000;
const LIMIT = 100;

/** The open incidents of a record. */
export function RecordIncidents({ at: { projectId, id } }: { readonly at: RecordRef }) {
  const { data, error, refetch } = useRead(
    [...alertsKey(projectId), 'incidents', 'record', id],
    async (options) =>
      service.project(projectId).incidents({ record: id, open: true, limit: LIMIT }, options).page(),
    { refetchInterval: REFRESH_MS },
  );
  const incidents = data?.results ?? [];
  if (error !== null) return <ErrorNote error={error} retry={refetch} />;
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
