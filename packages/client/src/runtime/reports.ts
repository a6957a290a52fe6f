import type { FailedRecord, RuntimeReport } from '../wire/runtime.ts';

interface Dependencies {
  readonly send: (report: RuntimeReport) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** What this runtime says of itself: one report, which the next one replaces. */
export interface Reports {
  /** The version of the report; null before the first. */
  readonly version: string | null;
  /** Resolves when no report is under way. */
  readonly sent: Promise<void>;
  applied(version: string): void;
  failed(version: string, error: unknown, records?: readonly FailedRecord[]): void;
  /** Sends the report again, as a heartbeat. */
  repeat(): void;
}

/** The service takes no more records, and cuts longer errors. */
const RECORDS_MAX = 100;
const ERROR_MAX = 10_000;

export function reporter({ send, onError }: Dependencies): Reports {
  let report: RuntimeReport | null = null;
  let sent = Promise.resolve();

  /** One at a time: the report that is sent last stays. */
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

/** The service rejects texts that PostgreSQL cannot store. */
function storable(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, ERROR_MAX).replaceAll('\0', '').toWellFormed();
}
