import type { LogEntry, LogFilter } from '@plugin-config/client';
import { readOlder, type ReadPage } from './log-pages.ts';
import { compareEntries } from './log-rows.ts';

export const DOWNLOAD_ROWS_MAX = 100_000;
const DOWNLOAD_CHARACTERS_MAX = 100_000_000;

/** Entries as JSON Lines, oldest first. */
export interface DownloadedLog {
  readonly parts: readonly Blob[];
  readonly count: number;
  /** Whether there are no older matches. */
  readonly isAll: boolean;
}

/** Reads the newest matching entries page by page. Only their bytes are kept. */
export async function downloadLog(
  read: ReadPage,
  filter: LogFilter,
  { now, onProgress }: { readonly now: string; readonly onProgress: (count: number) => void },
): Promise<DownloadedLog> {
  const parts: Blob[] = [];
  let edge: { timestamp: string; known: number } = { timestamp: now, known: 0 };
  // The ids at the edge: the next page may repeat them.
  let known = new Set<string>();
  let count = 0;
  let characters = 0;
  for (;;) {
    const { entries, isAll } = await readOlder(read, filter, edge);
    const fresh = entries
      .filter(({ timestamp, id }) => timestamp < edge.timestamp || !known.has(id))
      .toSorted(compareEntries);
    const lines = fresh.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    parts.unshift(new Blob([lines]));
    count += fresh.length;
    characters += lines.length;
    onProgress(count);
    const isFull = count >= DOWNLOAD_ROWS_MAX || characters >= DOWNLOAD_CHARACTERS_MAX;
    const [oldest] = fresh;
    if (isAll || isFull || oldest === undefined) return { parts, count, isAll };
    const ids = idsAt(fresh, oldest.timestamp);
    known = oldest.timestamp === edge.timestamp ? new Set([...known, ...ids]) : new Set(ids);
    edge = { timestamp: oldest.timestamp, known: known.size };
  }
}

function idsAt(entries: readonly LogEntry[], at: string): readonly string[] {
  return entries.filter(({ timestamp }) => timestamp === at).map(({ id }) => id);
}
