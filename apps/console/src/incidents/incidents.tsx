import { Link } from 'wouter';
import { alertsKey, REFRESH_MS } from '../alerts/alerts-of.ts';
import { useMayWrite } from '../session/session.ts';
import { alertPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import { IncidentRow } from './incident-row.tsx';
import { NoIncidents, useShownIncidents } from './use-shown-incidents.tsx';

/** The incidents of a project, open before closed. The address says whether closed incidents are shown. */
export function Incidents({ projectId }: { readonly projectId: number }) {
  const mayWrite = useMayWrite();
  const { shown, filter, choice } = useShownIncidents();
  const list = useListing(
    [...alertsKey(projectId), 'incidents', shown],
    async (range, options) =>
      service
        .project(projectId)
        .incidents({ ...range, ...filter }, options)
        .page(),
    () => REFRESH_MS,
  );
  return (
    <>
      <Heading title="Incidents" />
      <search className="toolbar">{choice}</search>
      <Listing
        list={list}
        what="incidents"
        empty={
          <NoIncidents shown={shown}>
            {mayWrite && (
              <Link href={alertPath(projectId, 'new')} className="button">
                Create an alert
              </Link>
            )}
          </NoIncidents>
        }
      >
        {(incident) => <IncidentRow projectId={projectId} incident={incident} />}
      </Listing>
    </>
  );
}
