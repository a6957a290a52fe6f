import type { AnswerCheck, CheckedHead } from './answer-check.ts';
import { eventBlocks } from './event-blocks.ts';

/** Checks the answers that tests read. */
export interface FetchWatch {
  /** From now on, the answers of this origin are checked. */
  watch(origin: string, check: AnswerCheck): void;
  /** No longer checks the answers of this origin: another server may get its port. */
  unwatch(origin: string): void;
  /** Returns the violations since the last call. */
  takeViolations(): readonly string[];
}

/** Checks a body while it is read. */
interface BodyWatch {
  readonly chunk: (bytes: Uint8Array) => void;
  readonly end: () => void;
}

/** Larger bodies are checked once for each answer of an operation: it takes time, which some tests measure. */
const LARGE_BYTES = 256 * 1024;

/** Replaces `fetch` by one that checks the answers of watched origins while their bodies are read. */
export function watchFetch(): FetchWatch {
  const fetchUnwatched = globalThis.fetch;
  const checks = new Map<string, AnswerCheck>();
  const largeSeen = new Set<string | null>();
  let violations: readonly string[] = [];
  const add = (found: readonly string[]): void => void (violations = [...violations, ...found]);

  const checkWhole = ({ answer, checkBody }: CheckedHead, body: Buffer): void => {
    if (body.length > LARGE_BYTES) {
      if (largeSeen.has(answer)) return;
      largeSeen.add(answer);
    }
    add(checkBody(body.toString()));
  };

  const whole = (head: CheckedHead): BodyWatch => {
    const chunks: Uint8Array[] = [];
    return { chunk: (bytes) => chunks.push(bytes), end: () => checkWhole(head, Buffer.concat(chunks)) };
  };

  const byEvent = ({ checkBody }: CheckedHead): BodyWatch => {
    const decoder = new TextDecoder();
    const blocksIn = eventBlocks();
    const chunk = (bytes: Uint8Array): void => {
      for (const block of blocksIn(decoder.decode(bytes, { stream: true }))) add(checkBody(block));
    };
    return { chunk, end: () => undefined };
  };

  globalThis.fetch = async (input, init) => {
    const response = await fetchUnwatched(input, init);
    const { origin, pathname: path } = new URL(input instanceof Request ? input.url : input);
    const check = checks.get(origin);
    if (check === undefined) return response;
    const { status, headers } = response;
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const head = check({ method: method.toUpperCase(), path, status, headers });
    add(head.violations);
    if (response.body !== null) return watchedBody(response, head.isStream ? byEvent(head) : whole(head));
    add(head.checkBody(''));
    return response;
  };

  return {
    watch: (origin, check) => void checks.set(new URL(origin).origin, check),
    unwatch: (origin) => void checks.delete(new URL(origin).origin),
    takeViolations: () => {
      const taken = violations;
      violations = [];
      return taken;
    },
  };
}

/** The same answer, whose body passes the watch when it is read, and not before. */
function watchedBody({ body, status, statusText, headers, url }: Response, watch: BodyWatch): Response {
  const passing = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (bytes, controller) => {
      watch.chunk(bytes);
      controller.enqueue(bytes);
    },
    flush: watch.end,
  });
  const watched = new Response(body?.pipeThrough(passing) ?? null, { status, statusText, headers });
  return Object.defineProperty(watched, 'url', { value: url });
}
