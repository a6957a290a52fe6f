import type { LogFilter } from '@plugin-config/client';
import { Download, X } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../ui/format.ts';
import { notify } from '../ui/notices.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { DOWNLOAD_ROWS_MAX, downloadLog } from './download-log.ts';
import type { ReadPage } from './log-pages.ts';

interface Properties {
  readonly id: number;
  readonly filter: LogFilter;
  readonly read: (signal: AbortSignal) => ReadPage;
}

/** Downloads the matching entries as JSON Lines. */
export function DownloadButton({ id, filter, read }: Properties) {
  const [running, setRunning] = useState<{ readonly count: number; readonly cancel: () => void } | null>(
    null,
  );
  const [error, setError] = useState<Error | null>(null);
  const begin = async (): Promise<void> => {
    const controller = new AbortController();
    const cancel = (): void => controller.abort();
    const onProgress = (count: number): void => setRunning({ count, cancel });
    onProgress(0);
    setError(null);
    try {
      const now = new Date().toISOString();
      const found = await downloadLog(read(controller.signal), filter, { now, onProgress });
      save(new Blob([...found.parts], { type: 'application/x-ndjson' }), `log-${id}-${now}.ndjson`);
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
          className="small"
          title={`Downloads up to ${formatCount(DOWNLOAD_ROWS_MAX)} of the newest entries as JSON Lines`}
          onClick={() => void begin()}
        >
          <Download />
          Download
        </button>
      ) : (
        <>
          <span>Downloading… {formatCount(running.count)} entries</span>
          <button type="button" className="small" onClick={running.cancel}>
            <X />
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
