import { Worker } from 'node:worker_threads';
import { MisreadText, type Place } from './misread-text.ts';

export type Work =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'place'; readonly text: string; readonly attrs: readonly string[] }
  | { readonly kind: 'write'; readonly json: string };

export type Outcome =
  | { readonly value: unknown; readonly misread?: never }
  | { readonly misread: string; readonly place: Place };

/** The most bytes of a document as YAML. An honest one of this size takes a second and 100 MiB; a malicious one ten times as long. */
export const YAML_MAX_BYTES = 1024 * 1024;

/** What one text may take. */
interface Limits {
  readonly ms: number;
  readonly memoryMib: number;
}

const LIMITS: Limits = { ms: 10_000, memoryMib: 256 };

/** The work took more time or memory than a document of this size needs. */
export class YamlTooCostly extends Error {
  override readonly name = 'YamlTooCostly';
}

/**
 * Reads and writes YAML in a thread of its own for each call: the parser is slow, and a malicious text makes it slower. The thread is ended when
 * it takes too much time or memory.
 */
export function yamlThreads(limits: Limits) {
  return {
    /** The JSON text of a YAML text. */
    read: (text: string) => inThread<string>({ kind: 'read', text }, limits),
    /** The places of these parts in a text that was read. */
    places: (text: string, attrs: readonly string[]) =>
      inThread<readonly Place[]>({ kind: 'place', text, attrs }, limits),
    write: (json: string) => inThread<string>({ kind: 'write', json }, limits),
  };
}

export const yamlInThread = yamlThreads(LIMITS);

async function inThread<T>(work: Work, { ms, memoryMib }: Limits): Promise<T> {
  const thread = new Worker(new URL('./yaml-thread.ts', import.meta.url), {
    workerData: work,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const tooCostly = (cause?: unknown): void =>
    reject(new YamlTooCostly('The YAML takes too long to read.', { cause }));
  const timer = setTimeout(tooCostly, ms);
  thread.on('message', resolve).on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') tooCostly(error);
    else reject(error);
  });
  try {
    const outcome = await promise;
    if (outcome.misread !== undefined) throw new MisreadText(outcome.misread, outcome.place);
    return outcome.value as T;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
