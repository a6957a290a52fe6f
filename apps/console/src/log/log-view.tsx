import { Link } from 'wouter';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Command } from '../ui/command.tsx';
import { Empty } from '../ui/empty.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { DownloadButton } from './download-button.tsx';
import type { FollowedLog, LogView as View } from './follow-log.ts';
import { logFilterOf, logQueryOf, type LogAddress } from './log-address.ts';
import { LogList } from './log-list.tsx';
import { useFollowedLog } from './use-followed-log.ts';

interface Properties {
  readonly at: RecordRef;
  readonly address: LogAddress;
  readonly onChange: (address: LogAddress) => void;
}

/** The matching entries of a log, and the controls to follow it. */
export function LogView({ at, address, onChange }: Properties) {
  const filter = logFilterOf(address);
  const { log, view } = useFollowedLog(at, filter, address.entry?.timestamp ?? null);
  const addressOf = (entry: LogAddress['entry']): string =>
    `${recordPath(at)}/logs${logQueryOf({ ...address, entry })}`;
  const { entry } = address;
  const isLinkLost = entry !== null && !view.isReading && !view.entries.some(({ id }) => id === entry.id);
  return (
    <>
      <div className="log-bar">
        <FollowState view={view} log={log} />
        {entry !== null && (
          <Link href={addressOf(null)} className="button">
            Jump to latest
          </Link>
        )}
        <DownloadButton at={at} filter={filter} />
      </div>
      {view.error !== null && <ErrorNote error={view.error} retry={log.tryAgain} />}
      {isLinkLost && view.error === null && (
        <p role="alert">
          The linked entry was not found. It may have expired, or the filters exclude it. Entries from around
          that time are shown instead.
        </p>
      )}
      {view.entries.length === 0 ? (
        <NoEntries view={view} id={at.id} address={address} onChange={onChange} />
      ) : (
        <LogList log={log} view={view} linkedId={entry?.id ?? null} linkOf={addressOf} />
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

/** Shows the connection state, and how many entries are held back while paused. */
function FollowState({ view, log }: { readonly view: View; readonly log: FollowedLog }) {
  const { connection, isFollowing, held } = view;
  if (connection === 'none' && view.error === null)
    return <span>Showing entries around the linked entry</span>;
  const isPaused = !isFollowing && connection !== 'none';
  return (
    <>
      <span role="status" className={`liveness ${isPaused ? '' : connection}`}>
        {isPaused && connection === 'live' ? 'Paused' : CONNECTIONS[connection]}
      </span>
      {held > 0 && <span className="log-held">+{held.toLocaleString('en')} new</span>}
      {connection !== 'none' && (
        <button type="button" onClick={isFollowing ? log.pause : log.resume}>
          {isFollowing ? 'Pause' : 'Resume'}
        </button>
      )}
    </>
  );
}

interface NoEntriesProperties {
  readonly view: View;
  readonly id: number;
  readonly address: LogAddress;
  readonly onChange: (address: LogAddress) => void;
}

function NoEntries({ view, id, address, onChange }: NoEntriesProperties) {
  if (view.isReading) return <Loading what="log" />;
  if (view.error !== null) return null;
  const none = withoutFilters(address);
  if (logQueryOf(address) !== '') {
    return (
      <Empty title="No entries match the filters">
        <p>New matching entries will appear here.</p>
        <button type="button" onClick={() => onChange(none)}>
          Clear filters
        </button>
      </Empty>
    );
  }
  const line = JSON.stringify({ plugin_config_id: id, type: 'INFO', message: 'Hello' });
  const command = `curl --header "Authorization: Bearer $KEY" --header 'Content-Type: application/x-ndjson' "$WORKER_URL/ingest" --data-binary '${line}'`;
  return (
    <Empty title="No log entries yet">
      <p>
        Entries appear here as the plugin writes them. To send a test entry, set a key with the{' '}
        <code>plugin_log:write</code> scope and the URL of the worker. <code>npm start</code> prints both;
        otherwise, get them from your operator.
      </p>
      <Command text={`KEY='…'\nWORKER_URL=http://127.0.0.1:8001`} />
      <p>Then send the entry:</p>
      <Command text={command} />
    </Empty>
  );
}

function withoutFilters(address: LogAddress): LogAddress {
  return { ...address, types: [], source: '', instance: '', from: '', to: '', search: '', entry: null };
}
