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

/** What the filters find in a log, and how it is followed. */
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
            Follow the newest
          </Link>
        )}
        <DownloadButton at={at} filter={filter} />
      </div>
      {view.error !== null && <ErrorNote error={view.error} retry={log.tryAgain} />}
      {isLinkLost && view.error === null && (
        <p role="alert">
          The entry of this link is not here: it is no longer kept, or the filters do not find it. These are
          the entries around its time.
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
  connecting: 'Connecting …',
  live: 'Following',
  lost: 'Connection lost. Trying again …',
} as const;

/** Says whether entries arrive, whether they are shown, and how many are held back. */
function FollowState({ view, log }: { readonly view: View; readonly log: FollowedLog }) {
  const { connection, isFollowing, held } = view;
  if (connection === 'none' && view.error === null) return <span>Entries around the linked one</span>;
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
  if (view.isReading) return <Loading what="the log" />;
  if (view.error !== null) return null;
  const none = logAddressOfNothing(address);
  if (logQueryOf(address) !== '') {
    return (
      <Empty title="The filters find nothing">
        <p>New entries that they find appear here.</p>
        <button type="button" onClick={() => onChange(none)}>
          Clear filters
        </button>
      </Empty>
    );
  }
  const line = JSON.stringify({ plugin_config_id: id, type: 'INFO', message: 'Hello' });
  const command = `curl --header "Authorization: Bearer $KEY" --header 'Content-Type: application/x-ndjson' "$WORKER_URL/ingest" --data-binary '${line}'`;
  return (
    <Empty title="The log is empty">
      <p>
        Entries appear here as the plugin writes them. To send one, put a key that has{' '}
        <code>plugin_log:write</code> and the address of the worker in place of these two.{' '}
        <code>npm start</code> prints both; for a service that runs elsewhere, ask its operator.
      </p>
      <Command text={`KEY='…'\nWORKER_URL=http://127.0.0.1:8001`} />
      <p>Then send an entry:</p>
      <Command text={command} />
    </Empty>
  );
}

function logAddressOfNothing(address: LogAddress): LogAddress {
  return { ...address, types: [], source: '', instance: '', from: '', to: '', search: '', entry: null };
}
