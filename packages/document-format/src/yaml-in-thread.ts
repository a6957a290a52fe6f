import { Worker } from 'node:worker_threads';
import { MisreadText, type Place } from './misread-text.ts';

export type YamlTask =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'place'; readonly text: string; readonly attrs: readonly string[] }
  | { readonly kind: 'write'; readonly json: string };

export type YamlResult =
  | { readonly value: unknown; readonly misread?: never }
  | { readonly misread: string; readonly place: Place };

/** The most bytes of a document as YAML. An honest one of this size takes a core for a second, and 100 MiB. */
export const YAML_MAX_BYTES = 1024 * 1024;

/** What one text may take. */
interface Limits {
  /** How long it may use a core: on a busy machine, this is less than the time that passes. */
  readonly cpuMs: number;
  readonly memoryMib: number;
}

const LIMITS: Limits = { cpuMs: 2_500, memoryMib: 256 };
const CHECK_MS = 50;

/** The text took more time of a core or memory than a document of this size needs. */
export class YamlTooCostly extends Error {
  override readonly name = 'YamlTooCostly';
}

/**
 * Reads and writes YAML in a thread of its own for each call: the parser is slow, and a malicious text makes it slower. The
 * thread is ended when it takes too much, or when the signal is aborted.
 */
export function yamlThreads(limits: Limits) {
  return {
    /** The JSON text of a YAML text. */
    read: (text: string, signal?: AbortSignal) => inThread<string>({ kind: 'read', text }, limits, signal),
    /** The places of what these attributes name in a text that was read. */
    places: (text: string, attrs: readonly string[], signal?: AbortSignal) =>
      inThread<readonly Place[]>({ kind: 'place', text, attrs }, limits, signal),
    write: (json: string, signal?: AbortSignal) => inThread<string>({ kind: 'write', json }, limits, signal),
  };
}

export const yamlInThread = yamlThreads(LIMITS);

async function inThread<T>(task: YamlTask, { cpuMs, memoryMib }: Limits, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  const thread = new Worker(new URL('./yaml-thread.ts', import.meta.url), {
    workerData: task,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  const { promise, resolve, reject } = Promise.withResolvers<YamlResult>();
  const tooCostly = (cause?: unknown): void =>
    reject(new YamlTooCostly('The YAML takes too much time or memory.', { cause }));
  const checkTime = async (): Promise<void> => {
    const { user, system } = await thread.cpuUsage();
    if ((user + system) / 1000 > cpuMs) tooCostly();
  };
  // A thread that has ended meanwhile has nothing to tell.
  const timer = setInterval(() => void checkTime().catch(() => undefined), CHECK_MS);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  thread.on('message', resolve).on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') tooCostly(error);
    else reject(error);
  });
  try {
    const result = await promise;
    if (result.misread !== undefined) throw new MisreadText(result.misread, result.place);
    return result.value as T;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', abort);
    await thread.terminate();
  }
}
