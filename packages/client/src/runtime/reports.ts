import type { FailedRecord, RuntimeReport } from '../wire/runtime.ts';

interface Dependencies {
  readonly send: (report: RuntimeReport) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** What this runtime reports. It is sent again as a heartbeat. */
export interface Reports {
  /** The version of the last report. */
  readonly version: string | null;
  applied(version: string): void;
  failed(version: string, error: unknown, records?: readonly FailedRecord[]): void;
  /** Sends the last report, after those that are under way. Never rejects. */
  send(): Promise<void>;
}

/** The service takes no more records, and cuts longer errors. */
const RECORDS_MAX = 100;
const ERROR_MAX = 10_000;

export function reporter({ send, onError }: Dependencies): Reports {
  let report: RuntimeReport | null = null;
  let sending = Promise.resolve();
  return {
    get version() {
      return report?.version ?? null;
    },
    applied(version) {
      report = { version, status: 'applied' };
    },
    failed(version, error, records = []) {
      const failed = records.slice(0, RECORDS_MAX).map((one) => ({ id: one.id, error: storable(one.error) }));
      report = { version, status: 'failed', error: storable(error), failed };
    },
    async send() {
      sending = sending.then(async () => {
        if (report !== null) await send(report).catch(onError);
      });
      return sending;
    },
  };
}

/** The service refuses texts that PostgreSQL cannot store. */
function storable(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, ERROR_MAX).replaceAll('\0', '').toWellFormed();
}
