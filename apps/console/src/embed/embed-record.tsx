import { headersOf, type ConfigRecord } from '@plugin-config/client';
import { FileJson, FileWarning, Trash2, TriangleAlert } from 'lucide-react';
import { lazy, type ComponentType } from 'react';
import { LiveNote } from '../live/live-note.tsx';
import { pluginInfoOf, pluginName, recordName } from '../record/plugin-info.ts';
import { useRecord, type ScreenProperties } from '../record/use-record.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Heading, parentOf, Tabs } from '../shell/heading.tsx';
import { Mark } from '../ui/mark.tsx';
import { isNotFound } from '../ui/error-text.ts';
import { QueryResult } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Enabled } from './enabled.tsx';
import '../record/record.css';

interface EmbedTab {
  /** Appended to the address of the record. */
  readonly path: string;
  readonly title: string;
  readonly Screen: ComponentType<ScreenProperties>;
}

const Configuration = lazy(async () => ({
  default: (await import('../configuration/configuration.tsx')).Configuration,
}));
const Log = lazy(async () => ({ default: (await import('../log/log-screen.tsx')).LogScreen }));
const Deliveries = lazy(async () => ({
  default: (await import('../deliveries/deliveries.tsx')).Deliveries,
}));
const Jobs = lazy(async () => ({ default: (await import('../jobs/jobs-screen.tsx')).JobsScreen }));

const LOG: EmbedTab = { path: '/logs', title: 'Log', Screen: Log };
const JOBS: EmbedTab = { path: '/jobs', title: 'Jobs', Screen: Jobs };

/** The screens of a record that a customer may use, with the addresses of the console. */
export const EMBED_TABS: readonly [EmbedTab, ...EmbedTab[]] = [
  { path: '/configuration', title: 'Configuration', Screen: Configuration },
  LOG,
  { path: '/deliveries', title: 'Deliveries', Screen: Deliveries },
  JOBS,
];

/** A plugin of the project, with a tab for each of its screens. */
export function EmbedRecord({ at, tab }: { readonly at: RecordRef; readonly tab: EmbedTab }) {
  const query = useRecord(at);
  const { data } = query;
  if (isNotFound(query.error)) return <Empty icon={Trash2} title="This plugin was removed" />;
  return (
    <>
      <Heading
        title={data === undefined ? `Record ${at.id}` : recordName(data)}
        parent={parentOf(at)}
        mark={data && <Mark name={pluginName(data)} seed={data.plugin} isLarge />}
      >
        {data?.deleted === false && <Enabled at={at} record={data} />}
        <LiveNote at={at} />
      </Heading>
      <QueryResult query={query} what="plugin">
        {(record) =>
          record.deleted ? (
            <Empty icon={Trash2} title="This plugin was removed" />
          ) : (
            <>
              <Tabs
                label="Plugin"
                tabs={tabsOf(at, record).map(({ path, title }) => [recordPath(at) + path, title])}
                current={recordPath(at) + tab.path}
              />
              <Notes record={record} />
              <tab.Screen at={at} record={record} />
            </>
          )
        }
      </QueryResult>
    </>
  );
}

/** Plugins without jobs have no list of them, and transformations no log. */
function tabsOf({ family }: RecordRef, record: ConfigRecord): readonly EmbedTab[] {
  const hasJobs = (pluginInfoOf(record)?.jobs ?? []).length > 0;
  return EMBED_TABS.filter(
    (tab) => (tab !== JOBS || hasJobs) && (tab !== LOG || family === 'plugin_configs'),
  );
}

/** What is wrong with a plugin. */
function Notes({ record }: { readonly record: ConfigRecord }) {
  const headers = headersOf(record);
  return (
    <>
      {headers?.get('x-config-valid') === 'false' && (
        <div className="note bad">
          <FileWarning />
          <p>The plugin has changed and no longer accepts this configuration. Correct and save it.</p>
        </div>
      )}
      {record.error !== null && (
        <div className="note bad">
          <TriangleAlert />
          <div>
            <strong>Last error</strong>
            <pre className="last-error">{record.error}</pre>
          </div>
        </div>
      )}
      {headers?.has('x-managed-by') === true && (
        <div className="note warn">
          <FileJson />
          <p>This plugin is also configured by an administrator, who may undo changes made here.</p>
        </div>
      )}
    </>
  );
}
