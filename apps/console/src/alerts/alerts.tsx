import type { Alert, Incident } from '@plugin-config/client';
import { BellRing, Plus, Siren, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { AllProjectsHeading } from '../all-projects/all-projects-heading.tsx';
import { RecordLink } from '../record/record-link.tsx';
import { useMayWrite } from '../session/session.ts';
import { alertPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { Badge } from '../ui/badge.tsx';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { formatCount } from '../ui/format.ts';
import { Listing, useChange, useListing, useRead } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { ACTIONS, conditionOf, EACH } from './alert-words.ts';
import { alertsKey, alertsOf, incidentsOf, type AlertOwner } from './alerts-of.ts';

/** Evaluations don't change records, so the stream doesn't send them. */
const REFRESH_MS = 30_000;

interface Properties {
  readonly projectId: AlertOwner;
}

export function Alerts({ projectId }: Properties) {
  const mayWrite = useMayWrite(projectId);
  const list = useListing(
    [...alertsKey(projectId), 'list'],
    async (range, options) => alertsOf(projectId).list(range, options).page(),
    () => REFRESH_MS,
  );
  const firing = useFiring(projectId);
  const create = (title: string, className: string) =>
    mayWrite && (
      <Link href={alertPath(projectId, 'new')} className={`button ${className}`}>
        <Plus />
        {title}
      </Link>
    );
  return (
    <>
      {projectId === null ? (
        <AllProjectsHeading part="alerts">{create('Create an alert', 'primary end')}</AllProjectsHeading>
      ) : (
        <Heading title="Alerts">{create('Create an alert', 'primary end')}</Heading>
      )}
      <Listing
        list={list}
        what="alerts"
        empty={
          <Empty icon={BellRing} guide="alerts.md" title="No alerts yet">
            <p>
              An alert watches plugins, and opens an incident when one fails: its deliveries, its log, its
              runtime. It can also disable the plugin.
            </p>
            {create('Create your first alert', '')}
          </Empty>
        }
      >
        {(alert) => <AlertRow projectId={projectId} alert={alert} firing={firing?.get(alert.id)} />}
      </Listing>
    </>
  );
}

const OPEN_MAX = 1000;

/** The number of open incidents by alert, as a text; undefined while loading. */
function useFiring(projectId: AlertOwner): ReadonlyMap<number, string> | undefined {
  const { data } = useRead(
    [...alertsKey(projectId), 'firing'],
    async (options) => {
      const { next, results } = await incidentsOf(projectId)({ open: true, limit: OPEN_MAX }, options).page();
      const byAlert = Map.groupBy<number, Incident>(results, ({ alert_id: id }) => id);
      const textOf = (count: number) => (next === null ? '' : 'At least ') + countText(count);
      return new Map([...byAlert].map(([id, incidents]) => [id, textOf(incidents.length)]));
    },
    { refetchInterval: REFRESH_MS, structuralSharing: false },
  );
  return data;
}

const countText = (count: number): string =>
  count === 1 ? '1 open incident' : `${formatCount(count)} open incidents`;

interface RowProperties extends Properties {
  readonly alert: Alert;
  /** The number of its open incidents, if it has any. */
  readonly firing: string | undefined;
}

function AlertRow({ projectId, alert, firing }: RowProperties) {
  const mayWrite = useMayWrite(projectId);
  const { id, name, family, record, plugin, action, enabled, broken, evaluated_at: evaluatedAt } = alert;
  const change = useChange(async (isOn: boolean) => alertsOf(projectId).update(id, { enabled: isOn }), {
    affects: alertsKey(projectId),
  });
  return (
    <>
      <span>
        <span className="actions">
          <Link href={alertPath(projectId, id)}>
            <bdi>{name}</bdi>
          </Link>
          {firing !== undefined && (
            <Badge tone="bad" icon={Siren}>
              {firing}
            </Badge>
          )}
          {broken && <BrokenBadge />}
        </span>
        <span className="hint">
          {record === null || projectId === null ? (
            EACH[family]
          ) : (
            <RecordLink at={{ projectId, family, id: record }} />
          )}
          {plugin !== null && ` · plugin ${plugin}`}
          {' · '}
          {conditionOf(alert)}
        </span>
        <ErrorNote error={change.error} />
      </span>
      <span className="hint actions">
        <span>
          {ACTIONS[action]} ·{' '}
          {evaluatedAt === null ? 'not checked yet' : <Time before="checked " at={evaluatedAt} />}
        </span>
        <EnabledSwitch
          name={name}
          isEnabled={change.isPending ? change.variables : enabled}
          onChange={mayWrite ? (isOn) => change.mutate(isOn) : undefined}
        />
      </span>
    </>
  );
}

/** Marks an alert that watches nothing. */
export function BrokenBadge() {
  return (
    <Badge tone="warn" icon={TriangleAlert}>
      Broken: not checked for an hour
    </Badge>
  );
}
