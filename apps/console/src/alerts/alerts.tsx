import type { Alert } from '@plugin-config/client';
import { BellRing, Plus, Siren, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { RecordLink } from '../record/record-link.tsx';
import { useMayWrite } from '../session/session.ts';
import { alertPath } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { Badge } from '../ui/badge.tsx';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { Listing, useChange, useListing, useRead } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { ACTIONS, conditionOf, EACH } from './alert-words.ts';
import { alertsKey } from './alerts-key.ts';

/** Evaluations don't change records, so the stream doesn't send them. */
const REFRESH_MS = 30_000;

/** The alerts of a project. */
export function Alerts({ projectId }: { readonly projectId: number }) {
  const mayWrite = useMayWrite();
  const list = useListing(
    [...alertsKey(projectId), 'list'],
    async (range, options) => service.project(projectId).alerts.list(range, options).page(),
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
      <Heading title="Alerts">{create('Create an alert', 'primary end')}</Heading>
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
        {(alert) => <AlertRow projectId={projectId} alert={alert} firing={firing?.get(alert.id) ?? 0} />}
      </Listing>
    </>
  );
}

const OPEN_MAX = 1000;

/** The number of open incidents by alert; undefined while loading. */
function useFiring(projectId: number): ReadonlyMap<number, number> | undefined {
  const { data } = useRead(
    [...alertsKey(projectId), 'firing'],
    async (options) => {
      const { results } = await service
        .project(projectId)
        .incidents({ open: true, limit: OPEN_MAX }, options)
        .page();
      const byAlert = Map.groupBy(results, ({ alert_id: id }) => id);
      return new Map([...byAlert].map(([id, incidents]) => [id, incidents.length]));
    },
    { refetchInterval: REFRESH_MS, structuralSharing: false },
  );
  return data;
}

interface Properties {
  readonly projectId: number;
  readonly alert: Alert;
  /** The number of its open incidents. */
  readonly firing: number;
}

function AlertRow({ projectId, alert, firing }: Properties) {
  const mayWrite = useMayWrite();
  const { id, name, family, record, action, enabled, broken, evaluated_at: evaluatedAt } = alert;
  const change = useChange(
    async (isOn: boolean) => service.project(projectId).alerts.update(id, { enabled: isOn }),
    { affects: alertsKey(projectId) },
  );
  return (
    <>
      <span>
        <span className="actions">
          <Link href={alertPath(projectId, id)}>
            <bdi>{name}</bdi>
          </Link>
          {firing > 0 && (
            <Badge tone="bad" icon={Siren}>
              {firing === 1 ? '1 open incident' : `${firing} open incidents`}
            </Badge>
          )}
          {broken && <BrokenBadge />}
        </span>
        <span className="hint">
          {record === null ? EACH[family] : <RecordLink at={{ projectId, family, id: record }} />}
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
