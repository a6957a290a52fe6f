import type { Page } from '@plugin-config/client';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { alertsKey, incidentsOf, REFRESH_MS, type AlertOwner } from '../alerts/alerts-of.ts';
import { useMayWrite } from '../session/session.ts';
import { alertPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { Segmented } from '../ui/fields.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { useParameter } from '../ui/use-parameter.ts';
import { IncidentRow, type ShownIncident } from './incident-row.tsx';

const SHOWN = [
  ['open', 'Open', 'Open'],
  ['all', 'All', 'All'],
] as const;

/** The incidents of a project. */
export function Incidents({ projectId }: { readonly projectId: number }) {
  const mayWrite = useMayWrite();
  return (
    <>
      <Heading title="Incidents" />
      <IncidentList projectId={projectId}>
        {mayWrite && (
          <Link href={alertPath(projectId, 'new')} className="button">
            Create an alert
          </Link>
        )}
      </IncidentList>
    </>
  );
}

interface ListProperties {
  /** By default, those of all projects. */
  readonly projectId?: AlertOwner;
  readonly filter?: { readonly plugin?: number };
  /** Shown if there are no incidents. */
  readonly children?: ReactNode;
}

/** Incidents, open before closed. The address says whether closed incidents are shown. */
export function IncidentList({ projectId = null, filter, children }: ListProperties) {
  const [show, setShow] = useParameter('show');
  const shown = show === 'all' ? 'all' : 'open';
  const list = useListing(
    [...alertsKey(projectId), 'incidents', shown, filter],
    async (range, options): Promise<Page<ShownIncident>> =>
      incidentsOf(projectId)(
        { ...range, ...filter, ...(shown === 'open' && { open: true }) },
        options,
      ).page(),
    () => REFRESH_MS,
  );
  return (
    <>
      <search className="toolbar">
        <Segmented
          label="Incidents"
          value={shown}
          options={SHOWN}
          onChange={(value) => setShow(value === 'all' ? value : '')}
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
            {children}
          </Empty>
        }
      >
        {(incident) => <IncidentRow projectId={projectId} incident={incident} />}
      </Listing>
    </>
  );
}
