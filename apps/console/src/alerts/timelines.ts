import type { AlertPreview } from '@plugin-config/client';
import { formatCount } from '../ui/format.ts';

const DAY_MS = 24 * 3_600_000;

/** The incidents of a record within the last day, as shares of the day. */
export interface Timeline {
  readonly recordId: number;
  readonly spans: readonly { readonly start: number; readonly length: number }[];
  /** How long incidents were open, in minutes. */
  readonly minutes: number;
}

/** Returns a timeline for each record of a preview, the one with the longest incidents first. */
export function timelinesOf({ results }: AlertPreview, now: number): readonly Timeline[] {
  const from = now - DAY_MS;
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / DAY_MS));
  return [...Map.groupBy(results, ({ record_id: id }) => id)]
    .map(([recordId, incidents]) => {
      const spans = incidents.map(({ opened_at: openedAt, closed_at: closedAt }) => {
        const start = share(Date.parse(openedAt));
        return { start, length: share(closedAt === null ? now : Date.parse(closedAt)) - start };
      });
      const total = spans.reduce((sum, { length }) => sum + length, 0);
      return { recordId, spans, minutes: Math.round((total * DAY_MS) / 60_000) };
    })
    .toSorted((a, b) => b.minutes - a.minutes || a.recordId - b.recordId);
}

/** Formats how long incidents were open. */
export function openText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}

/** Summarises a preview. */
export function previewText({ count, results }: AlertPreview): string {
  if (count === 0) return 'It would not have opened an incident.';
  const incidents = `It would have opened ${count === 1 ? '1 incident' : `${formatCount(count)} incidents`}`;
  if (results.length < count) return `${incidents}. The newest ${results.length} are shown.`;
  const records = new Set(results.map(({ record_id: id }) => id)).size;
  return `${incidents} for ${records === 1 ? '1 record' : `${records} records`}.`;
}
