import { setImmediate } from 'node:timers/promises';
import type { RuntimeReport } from '../wire.ts';
import { ERROR_MAX, storable } from './storable.ts';

/** A report before it is sent. For a runtime of all projects, the version is a cursor. */
export interface Report<Failed> extends Pick<RuntimeReport, 'version' | 'status' | 'error'> {
  readonly failed?: Failed[];
}

interface Dependencies<Failed> {
  readonly send: (report: Report<Failed>) => Promise<void>;
  /** Resolves when the next report may be sent. */
  readonly pause?: () => Promise<void>;
  /** The service rejects more records. */
  readonly recordsMax: number;
  readonly onError: (error: unknown) => void;
}

/** The reports of a runtime. Each replaces the previous one. */
export interface Reports<Failed> {
  /** The version of the last report; null before the first. */
  readonly version: string | null;
  /** Resolves when the last report is sent. */
  readonly sent: Promise<void>;
  applied(version: string): void;
  /** Reports states that listeners have applied without reporting. */
  delivered(version: string): void;
  failed(version: string, error: unknown, records?: readonly Failed[]): void;
  /** Sends the last report again, as a heartbeat. */
  repeat(version: string): void;
}

export function reporter<Failed extends { readonly error: string }>({
  send,
  pause = setImmediate,
  recordsMax,
  onError,
}: Dependencies<Failed>): Reports<Failed> {
  let report: Report<Failed> | null = null;
  let sent = Promise.resolve();
  let isQueued = false;

  /** Sends one report at a time, and only the last one. */
  const replace = (next: Report<Failed>): void => {
    report = next;
    if (isQueued) return;
    isQueued = true;
    sent = sent.then(async () => {
      isQueued = false;
      if (report !== null) await send(report).catch(onError);
      await pause();
    });
  };

  const applied = (version: string): void => replace({ version, status: 'applied' });

  return {
    get version() {
      return report?.version ?? null;
    },
    get sent() {
      return sent;
    },
    applied,
    delivered: applied,
    failed: (version, error, records = []) => {
      const failed = records
        .slice(0, recordsMax)
        .map((one) => ({ ...one, error: storable(one.error, ERROR_MAX) }));
      replace({ version, status: 'failed', error: storable(error, ERROR_MAX), failed });
    },
    repeat: (version) => {
      if (report !== null) replace({ ...report, version });
    },
  };
}
