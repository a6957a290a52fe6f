import { ShieldCheck } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { alertsKey, REFRESH_MS } from '../alerts/alerts-key.ts';
import { useMayWrite } from '../session/session.ts';
import { alertPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { Segmented } from '../ui/fields.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { IncidentRow } from './incident-row.tsx';

const SHOWN = [
  ['open', 'Open', 'Open'],
  ['all', 'All', 'All'],
] as const;

/** The incidents of a project, open ones first. Its address says whether closed ones are shown too. */
export function Incidents({ projectId }: { readonly projectId: number }) {
  const mayWrite = useMayWrite();
  const [search, setSearch] = useSearchParams();
  const shown = search.get('show') === 'all' ? 'all' : 'open';
  const list = useListing(
    [...alertsKey(projectId), 'incidents', shown],
    async (range, options) =>
      service
        .project(projectId)
        .incidents({ ...range, ...(shown === 'open' && { open: true }) }, options)
        .page(),
    () => REFRESH_MS,
  );
  return (
    <>
      <Heading title="Incidents" />
      <search className="toolbar">
        <Segmented
          label="Incidents"
          value={shown}
          options={SHOWN}
          onChange={(value) => setSearch(value === 'open' ? {} : { show: value })}
        />
      </search>
      <Listing
        list={list}
        what="incidents"
        empty={
          <Empty
            icon={ShieldCheck}
            guide="alerts.md"
            title={shown === 'open' ? 'No open incidents' : 'No incidents in the last 90 days'}
          >
            <p>An incident is open while a record breaches the rule of an alert.</p>
            {mayWrite && (
              <Link href={alertPath(projectId, 'new')} className="button">
                Create an alert
              </Link>
            )}
          </Empty>
        }
      >
        {(incident) => <IncidentRow projectId={projectId} incident={incident} />}
      </Listing>
    </>
  );
}
