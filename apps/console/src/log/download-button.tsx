import type { LogFilter } from '@plugin-config/client';
import { useState } from 'react';
import type { RecordRef } from '../shell/addresses.ts';
import { formatCount } from '../ui/format.ts';
import { notify } from '../ui/notices.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { DOWNLOAD_ROWS_MAX, downloadLog } from './download-log.ts';
import { logReader } from './use-followed-log.ts';

interface Download {
  readonly count: number;
  readonly cancel: () => void;
}

/** Downloads the matching entries as JSON Lines. */
export function DownloadButton({ at, filter }: { readonly at: RecordRef; readonly filter: LogFilter }) {
  const [running, setRunning] = useState<Download | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const begin = async (): Promise<void> => {
    const controller = new AbortController();
    const cancel = (): void => controller.abort();
    const onProgress = (count: number): void => setRunning({ count, cancel });
    onProgress(0);
    setError(null);
    try {
      const now = new Date().toISOString();
      const found = await downloadLog(logReader(at, controller.signal), filter, { now, onProgress });
      save(new Blob([...found.parts], { type: 'application/x-ndjson' }), `log-${at.id}-${now}.ndjson`);
      const count = formatCount(found.count);
      notify(
        found.isAll
          ? `Downloaded ${count} entries.`
          : `Downloaded the newest ${count} entries. To get older ones, set the "Until" filter.`,
      );
    } catch (reason) {
      if (!controller.signal.aborted) setError(reason as Error);
    }
    setRunning(null);
  };
  return (
    <span className="actions">
      {running === null ? (
        <button
          type="button"
          title={`Downloads up to ${formatCount(DOWNLOAD_ROWS_MAX)} of the newest entries as JSON Lines`}
          onClick={() => void begin()}
        >
          Download
        </button>
      ) : (
        <>
          <span>Downloading… {formatCount(running.count)} entries</span>
          <button type="button" onClick={running.cancel}>
            Cancel
          </button>
        </>
      )}
      <ErrorNote error={error} />
    </span>
  );
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name.replaceAll(':', '-');
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
