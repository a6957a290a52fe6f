import { PluginConfigError, type PlanSummary, type PluginConfigClient } from '@plugin-config/client';
import { DOCUMENT_MAX_BYTES } from '@plugin-config/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { causeOf, withField } from '../explain-error.ts';
import { reason } from '../reason.ts';
import { linesOf, type Line } from './lines-of.ts';
import { readFields, readTenant, type Tenant } from './read-tenant.ts';

export type Counts = Record<'created' | 'changed' | 'unchanged' | 'rejected', number>;

export interface Rejection {
  readonly line: number;
  /** As it is in the line; null if that has none. */
  readonly externalId: string | null;
  readonly reason: string;
}

export interface ImportReport {
  readonly tenants: Counts;
  readonly records: Counts;
  /** The first rejected lines. */
  readonly rejected: Rejection[];
}

const REJECTIONS_MAX = 1000;
const SPACE = 0x20;
/** As long as a valid one. */
const SHOWN_ID_MAX = 100;

export function emptyReport(): ImportReport {
  const none = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  return { tenants: { ...none }, records: { ...none }, rejected: [] };
}

/** How many lines are imported at once. More are no faster, since an account gets few permits for documents. */
const AT_ONCE = 4;
/** How long to wait for a service that is down or limits the account. */
const RETRY_MS = 5 * 60_000;
const PAUSE_MAX_MS = 5_000;
/** Statuses of temporary failures; null means that there was no response. */
const TEMPORARY: ReadonlySet<number | null> = new Set([null, 408, 429, 502, 503, 504]);

export interface ImportOptions {
  /** A client that does not retry. */
  readonly api: PluginConfigClient;
  readonly report: ImportReport;
  readonly retryMs?: number;
  /** Called with the reason when the import begins to wait for a service that is down. */
  readonly onWait?: (reason: string) => void;
}

/**
 * Imports each line, a few at once, and counts what happens to it.
 * @throws an error if the service cannot be used, since all other lines would fail, too
 */
export async function importLines(input: AsyncIterable<Buffer>, options: ImportOptions): Promise<void> {
  const lines = linesOf(input, DOCUMENT_MAX_BYTES);
  const seen = new Map<string, number>();
  const work = async (): Promise<void> => {
    // Several loops share one generator, which ends for all of them if one fails.
    for await (const line of lines) await importLine(line, seen, options);
  };
  const done = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const failed = done.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function importLine(line: Line, seen: Map<string, number>, options: ImportOptions): Promise<void> {
  const { tenants, records, rejected } = options.report;
  let externalId: string | null = null;
  let tenant: Tenant | null = null;
  try {
    if (line.bytes?.every((byte) => byte <= SPACE)) return;
    const fields = readFields(bytesOf(line));
    externalId = shownId(fields['external_id']);
    tenant = readTenant(fields);
    checkFirst(tenant, line, seen);
    const { isNew, isRenamed, summary } = await importTenant(tenant, options);
    const created = summary.create + summary.restore;
    const changed = summary.update + summary.move;
    tenants[isNew ? 'created' : isRenamed || created + changed > 0 ? 'changed' : 'unchanged']++;
    records.created += created;
    records.changed += changed;
    records.unchanged += recordsIn(tenant) - created - changed;
  } catch (error) {
    if (isUnusable(error))
      throw new Error(`Line ${line.number}: ${reasonOf(error)}${hintOn(error)}`, { cause: error });
    tenants.rejected++;
    records.rejected += tenant === null ? 0 : recordsIn(tenant);
    if (rejected.length < REJECTIONS_MAX)
      rejected.push({ line: line.number, externalId, reason: reasonOf(error) });
  }
}

/** Returns an external id that may be invalid. */
function shownId(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, SHOWN_ID_MAX) : null;
}

function bytesOf({ bytes }: Line): Uint8Array {
  if (bytes !== null) return bytes;
  throw new Error(`The line is longer than ${DOCUMENT_MAX_BYTES / 1024 / 1024} MiB.`);
}

/** Rejects all lines of a tenant but the first, since they could overtake each other. */
function checkFirst({ externalId }: Tenant, { number }: Line, seen: Map<string, number>): void {
  const first = seen.get(externalId);
  if (first !== undefined) throw new Error(`external_id: Line ${first} is about the same tenant.`);
  seen.set(externalId, number);
}

interface Imported {
  readonly isNew: boolean;
  readonly isRenamed: boolean;
  readonly summary: PlanSummary;
}

/** Creates or renames the project of a tenant, and applies its records. Every step can be repeated. */
async function importTenant(
  { externalId, name, document }: Tenant,
  options: ImportOptions,
): Promise<Imported> {
  const project = options.api.project(`ext:${externalId}`);
  const found = await retried(options, () => project.retrieve().catch(nullIfMissing));
  const isRenamed = found !== null && name !== undefined && name !== found.name;
  if (found === null || isRenamed) await retried(options, () => project.put({ name }).catch(notTheApi));
  const { summary } = await retried(options, () =>
    project.configuration.apply({ document }, { idempotencyKey: null }),
  );
  return { isNew: found === null, isRenamed, summary };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof PluginConfigError && error.status === 404) return null;
  throw error;
}

/** Putting a project creates it if it is missing, so only something else has no such path. */
function notTheApi(error: unknown): never {
  if (!(error instanceof PluginConfigError) || error.status !== 404) throw error;
  throw new PluginConfigError('PUT project', { code: 'unreadable', detail: error.detail, cause: error });
}

/** Repeats a call until it succeeds, unless it fails for good. */
async function retried<T>(
  { retryMs = RETRY_MS, onWait }: Pick<ImportOptions, 'retryMs' | 'onWait'>,
  call: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + retryMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof PluginConfigError) || !TEMPORARY.has(error.status)) throw error;
      const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
      const leftMs = end - performance.now() - askedMs;
      if (leftMs <= 0) throw error;
      // A limit of the account only slows the import down.
      if (attempt === 1 && error.status !== 429) onWait?.(causeOf(error));
      const backOffMs = Math.random() * Math.min(PAUSE_MAX_MS, 200 * 2 ** attempt);
      await sleep(askedMs + Math.min(backOffMs, leftMs));
    }
  }
}

/** Whether the service is unavailable or rejects the key. */
function isUnusable(error: unknown): error is PluginConfigError {
  if (!(error instanceof PluginConfigError)) return false;
  return error.status === null || error.status === 401 || error.status === 403 || error.code === 'unreadable';
}

/** Something else may listen at the address, such as the worker. */
function hintOn({ status, code }: PluginConfigError): string {
  return status === null || code === 'unreadable' ? ' Is API_URL the address of the API?' : '';
}

const recordsIn = ({ document }: Tenant): number =>
  (document.plugin_configs?.length ?? 0) + (document.pipeline_transformation_configs?.length ?? 0);

function reasonOf(error: unknown): string {
  if (!(error instanceof PluginConfigError)) return reason(error);
  const all = error.errors.length > 0 ? error.errors : [error];
  return all.map(({ attr, detail }) => withField(attr, detail)).join(' ');
}
