import type { LogFilter } from '@plugin-config/client';
import { useState } from 'react';
import type { RecordRef } from '../shell/addresses.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { useNotify } from '../ui/notices.tsx';
import { DOWNLOAD_ROWS_MAX, downloadLog } from './download-log.ts';
import { logReader } from './use-followed-log.ts';

interface Download {
  readonly count: number;
  readonly cancel: () => void;
}

/** Downloads the matching entries as JSON Lines. */
export function DownloadButton({ at, filter }: { readonly at: RecordRef; readonly filter: LogFilter }) {
  const notify = useNotify();
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
      const count = found.count.toLocaleString('en');
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
    <span className="log-download">
      {running === null ? (
        <button
          type="button"
          title={`Downloads up to ${DOWNLOAD_ROWS_MAX.toLocaleString('en')} of the newest entries as JSON Lines`}
          onClick={() => void begin()}
        >
          Download
        </button>
      ) : (
        <>
          <span>Downloading… {running.count.toLocaleString('en')} entries</span>
          <button type="button" onClick={running.cancel}>
            Cancel
          </button>
        </>
      )}
      {error !== null && <ErrorNote error={error} />}
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
