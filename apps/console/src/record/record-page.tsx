import { lazy, Suspense, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Deliveries } from '../deliveries/deliveries.tsx';
import { LivenessNote } from '../live/liveness-note.tsx';
import { useLiveFamily } from '../live/use-family.ts';
import { FAMILIES, familyPath, recordPath, type Family, type RecordRef } from '../shell/addresses.ts';
import { Empty } from '../ui/empty.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { Title } from '../ui/title.tsx';
import { OwnerNote } from './owner-note.tsx';
import { Overview } from './overview.tsx';
import { useRecord } from './use-record.ts';

/** A record, with a tab for each of its screens. */
export function RecordPage({ at, tab }: { readonly at: RecordRef; readonly tab: RecordTab }) {
  const liveness = useLiveFamily(at);
  const { data, error, refetch } = useRecord(at);
  const failure = error !== null && <ErrorNote error={error} retry={() => void refetch()} />;
  if (data === undefined) return failure || <Loading what="record" />;
  const name = data.name ?? `Record ${data.id}`;
  return (
    <>
      <Title>{name}</Title>
      <p>
        <Link href={familyPath(at)}>{FAMILIES[at.family]}</Link>
      </p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <LivenessNote liveness={liveness} />
      <nav aria-label="Record" className="tabs">
        {TABS.filter((one) => isOf(one, at)).map(({ path, title }) => (
          <Link
            key={path}
            href={`${recordPath(at)}${path}`}
            aria-current={path === tab.path ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <OwnerNote record={data} projectId={at.projectId} />
      {failure}
      {isOf(tab, at) ? (
        <Suspense fallback={<Loading what="page" />}>{tab.screen(at)}</Suspense>
      ) : (
        <Empty title={`Not available for ${FAMILIES[at.family].toLowerCase()}`} />
      )}
    </>
  );
}

export interface RecordTab {
  /** Appended to the address of the record. */
  readonly path: string;
  readonly title: string;
  readonly screen: (at: RecordRef) => ReactNode;
  /** The only family that has it; all if absent. */
  readonly only?: Family;
}

function isOf({ only }: RecordTab, { family }: RecordRef): boolean {
  return only === undefined || only === family;
}

const LogScreen = lazy(async () => ({ default: (await import('../log/log-screen.tsx')).LogScreen }));
const Configuration = lazy(async () => ({
  default: (await import('../configuration/configuration.tsx')).Configuration,
}));

const HistoryScreen = lazy(async () => ({
  default: (await import('../history/history-screen.tsx')).HistoryScreen,
}));

const JobsScreen = lazy(async () => ({ default: (await import('../jobs/jobs-screen.tsx')).JobsScreen }));

export const TABS: readonly RecordTab[] = [
  { path: '', title: 'Overview', screen: (at) => <Overview at={at} /> },
  { path: '/configuration', title: 'Configuration', screen: (at) => <Configuration at={at} /> },
  { path: '/deliveries', title: 'Deliveries', screen: (at) => <Deliveries at={at} /> },
  { path: '/logs', title: 'Log', screen: (at) => <LogScreen at={at} />, only: 'plugin_configs' },
  { path: '/history', title: 'History', screen: (at) => <HistoryScreen at={at} /> },
  { path: '/jobs', title: 'Jobs', screen: (at) => <JobsScreen at={at} /> },
];
