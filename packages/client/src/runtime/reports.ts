import type { FailedRecord, RuntimeReport } from '../wire.ts';

interface Dependencies {
  readonly send: (report: RuntimeReport) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The reports of a runtime. Each replaces the previous one. */
export interface Reports {
  /** The version of the last report; null before the first. */
  readonly version: string | null;
  /** Resolves when all reports are sent. */
  readonly sent: Promise<void>;
  applied(version: string): void;
  failed(version: string, error: unknown, records?: readonly FailedRecord[]): void;
  /** Sends the last report again, as a heartbeat. */
  repeat(): void;
}

/** The service rejects more records, and truncates longer errors. */
const RECORDS_MAX = 100;
const ERROR_MAX = 10_000;

export function reporter({ send, onError }: Dependencies): Reports {
  let report: RuntimeReport | null = null;
  let sent = Promise.resolve();

  /** Sends one report at a time, so the last one prevails. */
  const repeat = (): void => {
    sent = sent.then(async () => (report === null ? undefined : send(report).catch(onError)));
  };
  const replace = (next: RuntimeReport): void => {
    report = next;
    repeat();
  };

  return {
    get version() {
      return report?.version ?? null;
    },
    get sent() {
      return sent;
    },
    applied: (version) => replace({ version, status: 'applied' }),
    failed: (version, error, records = []) => {
      const failed = records.slice(0, RECORDS_MAX).map((one) => ({ id: one.id, error: storable(one.error) }));
      replace({ version, status: 'failed', error: storable(error), failed });
    },
    repeat,
  };
}

/** Removes what PostgreSQL cannot store, because the service would reject the report. */
function storable(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, ERROR_MAX).replaceAll('\0', '').toWellFormed();
}
