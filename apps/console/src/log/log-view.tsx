import type { LogFilter } from '@plugin-config/client';
import {
  ArrowRightToLine,
  ArrowDownToLine,
  Link as LinkIcon,
  Pause,
  Play,
  ScrollText,
  SearchX,
  WrapText,
} from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { whileVisible } from '../live/while-visible.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { usePreference } from '../shell/preferences.ts';
import { useMayRead } from '../session/session.ts';
import { Segmented } from '../ui/fields.tsx';
import { exactTime, formatCount } from '../ui/format.ts';
import { Badge } from '../ui/badge.tsx';
import { notify } from '../ui/notices.tsx';
import { Empty, ErrorNote, Loading } from '../ui/states.tsx';
import { Command, CopyButton } from '../ui/texts.tsx';
import { DownloadButton } from './download-button.tsx';
import { followLog, type FollowedLog, type LogView as View } from './follow-log.ts';
import {
  logAddressOf,
  logFilterOf,
  logPath,
  logQueryOf,
  type LogAddress,
  type LogProperties,
} from './log-address.ts';
import { LogList } from './log-list.tsx';
import type { ReadPage } from './log-pages.ts';

const RESET =
  'The log could not resume where it stopped, so it was reloaded. It includes everything sent in the meantime.';

/** The matching entries of a log, and the controls to follow it. */
export function LogView({ at, address, onChange }: LogProperties) {
  const mayRead = useMayRead(at.projectId);
  const filter = logFilterOf(address);
  const { log, view } = useFollowedLog(at, filter, address.entry?.timestamp ?? (address.around || null));
  const linkOf = (to: LogAddress['entry']): string => logPath(at, { ...address, around: '', entry: to });
  const { entry, around } = address;
  const isLinkLost = entry !== null && !view.isReading && !view.entries.some(({ id }) => id === entry.id);
  return (
    <>
      <div className="actions">
        <FollowState view={view} log={log} around={entry === null ? around : ''} />
        {(entry !== null || around !== '') && (
          <Link href={linkOf(null)} className="button small">
            <ArrowDownToLine />
            Jump to latest
          </Link>
        )}
        <span className="end" />
        <Looks />
        {mayRead && <CopyButton text={window.location.href} what="link to this view" icon={LinkIcon} />}
        <DownloadButton id={at.id} filter={filter} read={(signal) => logReader(at, signal)} />
      </div>
      <ErrorNote error={view.error} retry={log.tryAgain} />
      {isLinkLost && view.error === null && (
        <p role="alert">
          The linked entry was not found. It may have expired, or the filters exclude it. Entries from around
          that time are shown instead.
        </p>
      )}
      {view.entries.length === 0 ? (
        <NoEntries view={view} at={at} address={address} onChange={onChange} />
      ) : (
        <LogList log={log} view={view} linkedId={entry?.id ?? null} around={around} linkOf={linkOf} />
      )}
    </>
  );
}

const CONNECTIONS = {
  none: 'Not connected',
  connecting: 'Connecting…',
  live: 'Following',
  lost: 'Connection lost. Reconnecting…',
} as const;

interface FollowProperties {
  readonly view: View;
  readonly log: FollowedLog;
  /** The time to show instead of the end of the log; empty for a linked entry. */
  readonly around: string;
}

/** Shows the connection state, and how many entries are held back while paused. */
function FollowState({ view, log, around }: FollowProperties) {
  const { connection, isFollowing, held } = view;
  if (connection === 'none' && view.error === null)
    return (
      <span className="hint">
        Showing entries around {around === '' ? 'the linked entry' : exactTime(around)}
      </span>
    );
  const isPaused = !isFollowing && connection !== 'none';
  return (
    <>
      <span role="status" className={`liveness with-icon hint ${isPaused ? '' : connection}`}>
        {isPaused && connection === 'live' ? 'Paused' : CONNECTIONS[connection]}
      </span>
      {held > 0 && <Badge tone="accent">+{formatCount(held)} new</Badge>}
      {connection !== 'none' && (
        <button type="button" className="small" onClick={isFollowing ? log.pause : log.resume}>
          {isFollowing ? <Pause /> : <Play />}
          {isFollowing ? 'Pause' : 'Resume'}
        </button>
      )}
    </>
  );
}

const ZONES = [
  ['local', 'Times in your time zone', 'Local'],
  ['utc', 'Times in UTC', 'UTC'],
] as const;
const WRAPS = [
  ['wrap', 'Wrap long messages', <WrapText key="wrap" />],
  ['nowrap', 'One line per entry', <ArrowRightToLine key="nowrap" />],
] as const;

/** How entries are shown. */
function Looks() {
  const [zone, setZone] = usePreference('zone');
  const [wrap, setWrap] = usePreference('wrap');
  return (
    <>
      <Segmented label="Time zone" value={zone} options={ZONES} onChange={setZone} />
      <Segmented label="Long messages" value={wrap} options={WRAPS} onChange={setWrap} />
    </>
  );
}

function NoEntries({ view, at, address, onChange }: LogProperties & { readonly view: View }) {
  const mayRead = useMayRead(at.projectId);
  if (view.isReading) return <Loading what="log" />;
  if (view.error !== null) return null;
  if (logQueryOf(address) !== '') {
    return (
      <Empty icon={SearchX} title="No entries match the filters">
        <p>New matching entries will appear here.</p>
        <button type="button" onClick={() => onChange(logAddressOf(''))}>
          Clear filters
        </button>
      </Empty>
    );
  }
  if (!mayRead) {
    return (
      <Empty icon={ScrollText} title="No log entries yet">
        <p>Entries appear here as the plugin writes them.</p>
      </Empty>
    );
  }
  const line = JSON.stringify({ plugin_config_id: at.id, type: 'INFO', message: 'Hello' });
  const command = `curl --header "Authorization: Bearer $KEY" --header 'Content-Type: application/x-ndjson' "$WORKER_URL/ingest" --data-binary '${line}'`;
  return (
    <Empty icon={ScrollText} guide="send-logs.md" title="No log entries yet">
      <p>
        Entries appear here as the plugin writes them. To send a test entry, set a key with the{' '}
        <code>plugin_log:write</code> scope and the URL of the worker. <code>npm start</code> prints both;
        otherwise, get them from your operator.
      </p>
      <Command text={`KEY='…'\nWORKER_URL=http://127.0.0.1:8001\n${command}`} />
    </Empty>
  );
}

function logReader({ projectId, id }: RecordRef, signal: AbortSignal): ReadPage {
  const configs = service.project(projectId).pluginConfigs;
  return async (query) => configs.logs(id, query, { signal }).page();
}

/** Follows a log while the screen is shown. To show another log, change the key of the component. */
function useFollowedLog(at: RecordRef, filter: LogFilter, around: string | null) {
  const [log] = useState(() =>
    followLog({
      read: (signal) => logReader(at, signal),
      stream: (options) => service.project(at.projectId).pluginConfigs.streamLogs(at.id, filter, options),
      filter,
      around,
      onFrame: (callback) => void requestAnimationFrame(callback),
      onReset: () => notify(RESET),
    }),
  );
  useEffect(() => (around === null ? whileVisible(log.open) : log.open()), [log, around]);
  return { log, view: useSyncExternalStore(log.subscribe, log.view) };
}
