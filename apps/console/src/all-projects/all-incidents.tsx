import { alertsKey, REFRESH_MS } from '../alerts/alerts-of.ts';
import { IncidentRow } from '../incidents/incident-row.tsx';
import { NoIncidents, useShownIncidents } from '../incidents/use-shown-incidents.tsx';
import { service } from '../shell/service.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import type { ListProperties } from './list-properties.ts';

/** The incidents of all projects. */
export function AllIncidents({ filter: ofPlugin }: ListProperties) {
  const { shown, filter, choice } = useShownIncidents();
  const list = useListing(
    [...alertsKey(null), 'incidents', shown, ofPlugin],
    async ({ limit, offset }, options) =>
      service.incidents({ limit, offset, ...ofPlugin, ...filter }, options).page(),
    () => REFRESH_MS,
  );
  return (
    <>
      <search className="toolbar">{choice}</search>
      <Listing list={list} what="incidents" empty={<NoIncidents shown={shown} />}>
        {(incident) => <IncidentRow projectId={null} incident={incident} />}
      </Listing>
    </>
  );
}
