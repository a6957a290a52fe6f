import { headersOf } from '@plugin-config/client';
import { Ban, CircleCheck, CircleOff, FileJson, FileWarning, Trash2 } from 'lucide-react';
import { lazy, Suspense, type ComponentType } from 'react';
import { Link, Redirect } from 'wouter';
import { LiveNote } from '../live/live-note.tsx';
import {
  FAMILIES,
  familyPath,
  managerPath,
  recordPath,
  type Family,
  type RecordRef,
} from '../shell/addresses.ts';
import { useMayRead } from '../session/session.ts';
import { Heading, parentOf, Tabs } from '../shell/heading.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { Badge, InvalidBadge } from '../ui/badge.tsx';
import { isNotFound } from '../ui/error-text.ts';
import { Mark } from '../ui/mark.tsx';
import { QueryResult } from '../ui/queries.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { Overview } from './overview.tsx';
import { pluginName, recordName } from './plugin-info.ts';
import { useRecord, type ScreenProperties } from './use-record.ts';
import './record.css';

interface RecordTab {
  /** Appended to the address of the record. */
  readonly path: string;
  readonly title: string;
  readonly Screen: ComponentType<ScreenProperties>;
  /** The only family that has it; all if absent. */
  readonly only?: Family;
  /** Whether it needs more than `config:write`. */
  readonly isForReaders?: boolean;
}

const Log = lazy(async () => ({ default: (await import('../log/log-screen.tsx')).LogScreen }));
const Configuration = lazy(async () => ({
  default: (await import('../versions/record-version.tsx')).VersionedConfiguration,
}));
const Deliveries = lazy(async () => ({
  default: (await import('../deliveries/deliveries.tsx')).Deliveries,
}));
const History = lazy(async () => ({
  default: (await import('../history/history-screen.tsx')).HistoryScreen,
}));
const Jobs = lazy(async () => ({ default: (await import('../jobs/jobs-screen.tsx')).JobsScreen }));

export const TABS: readonly RecordTab[] = [
  { path: '', title: 'Overview', Screen: Overview, isForReaders: true },
  { path: '/configuration', title: 'Configuration', Screen: Configuration },
  { path: '/deliveries', title: 'Deliveries', Screen: Deliveries },
  { path: '/logs', title: 'Log', Screen: Log, only: 'plugin_configs' },
  { path: '/history', title: 'History', Screen: History, isForReaders: true },
  { path: '/jobs', title: 'Jobs', Screen: Jobs },
];

/** A record, with a tab for each of its screens. */
export function RecordPage({ at, tab }: { readonly at: RecordRef; readonly tab: RecordTab }) {
  const query = useRecord(at);
  const { data } = query;
  const isInvalid = data !== undefined && headersOf(data)?.get('x-config-valid') === 'false';
  const mayRead = useMayRead(at.projectId);
  const tabs = TABS.filter(
    ({ only = at.family, isForReaders = false }) => only === at.family && (mayRead || !isForReaders),
  );
  const [first] = tabs;
  if (isNotFound(query.error)) return <NotFound />;
  if (first !== undefined && tab.isForReaders === true && !mayRead) {
    return <Redirect replace to={recordPath(at) + first.path} />;
  }
  return (
    <>
      <Heading
        title={data === undefined ? `Record ${at.id}` : recordName(data)}
        parent={parentOf(at)}
        mark={data && <Mark name={pluginName(data)} seed={data.plugin} isLarge />}
      >
        {data && <StateBadge record={data} />}
        {isInvalid && <InvalidBadge />}
        <LiveNote at={at} />
      </Heading>
      <Tabs
        label="Record"
        tabs={tabs.map(({ path, title }) => [recordPath(at) + path, title])}
        current={recordPath(at) + tab.path}
      />
      <QueryResult query={query} what="record">
        {(record) => (
          <>
            {isInvalid && <InvalidNote at={at} />}
            <OwnerNote at={at} record={record} />
            {tabs.includes(tab) ? (
              <Suspense fallback={<Loading what="page" />}>
                <tab.Screen at={at} record={record} />
              </Suspense>
            ) : (
              <Empty icon={Ban} title={`Not available for ${FAMILIES[at.family].toLowerCase()}`} />
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

function StateBadge({ record: { deleted, enabled } }: Pick<ScreenProperties, 'record'>) {
  if (deleted) return <Badge icon={Trash2}>Deleted</Badge>;
  return enabled ? (
    <Badge tone="good" icon={CircleCheck}>
      Enabled
    </Badge>
  ) : (
    <Badge icon={CircleOff}>Disabled</Badge>
  );
}

/** Says why a record is invalid. */
function InvalidNote({ at }: Pick<ScreenProperties, 'at'>) {
  return (
    <div className="note bad">
      <FileWarning />
      <p>
        The plugin&apos;s schema has changed and rejects this configuration. The record stays enabled, and
        runtimes get it marked as invalid. <Link href={`${recordPath(at)}/configuration`}>Correct it</Link>,
        or see <Link href={`${familyPath(at)}?valid=false`}>all invalid records</Link>.
      </p>
    </div>
  );
}

/** Warns that a record is managed by a document. */
function OwnerNote({ at: { projectId }, record }: ScreenProperties) {
  const headers = headersOf(record);
  const manager = headers?.get('x-managed-by') ?? null;
  if (manager === null) return null;
  return (
    <div className="note warn">
      <FileJson />
      <p>
        This record is managed by a document of <strong>{manager}</strong>, with the key{' '}
        <strong>{headers?.get('x-managed-key')}</strong>. Its next apply may undo changes you make here; until
        then, they are listed as <Link href={managerPath(projectId, manager)}>edited by hand</Link>.
      </p>
    </div>
  );
}
