import { REFRESH_MS } from '../alerts/alerts-key.ts';
import { IncidentRow } from '../incidents/incident-row.tsx';
import { NoIncidents, useShownIncidents } from '../incidents/use-shown-incidents.tsx';
import { service } from '../shell/service.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import type { ListProperties } from './list-properties.ts';
import { ProjectLink } from './project-link.tsx';

/** The incidents of all projects. */
export function AllIncidents({ filter: ofPlugin }: ListProperties) {
  const { shown, filter, choice } = useShownIncidents();
  const list = useListing(
    ['all', 'incidents', shown, ofPlugin],
    async ({ limit, offset }, options) =>
      service.incidents({ limit, offset, ...ofPlugin, ...filter }, options).page(),
    () => REFRESH_MS,
  );
  return (
    <>
      <search className="toolbar">{choice}</search>
      <Listing list={list} what="incidents" empty={<NoIncidents shown={shown} />}>
        {(incident) => (
          <IncidentRow
            projectId={incident.project?.id ?? null}
            incident={incident}
            recordName={incident.record?.name}
          >
            {incident.project !== null && <ProjectLink project={incident.project} />}
          </IncidentRow>
        )}
      </Listing>
    </>
  );
}
