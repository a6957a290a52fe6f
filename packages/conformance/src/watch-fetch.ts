import type { ResponseCheck, CheckedHead } from './response-check.ts';
import { eventBlocks } from './event-blocks.ts';

/** Checks the responses that tests read. */
export interface FetchWatch {
  /** Starts checking the responses of this origin. */
  watch(origin: string, check: ResponseCheck): void;
  /** Stops checking the responses of this origin, since another server may reuse its port. */
  unwatch(origin: string): void;
  /** Returns the violations since the last call. */
  takeViolations(): readonly string[];
}

/** Checks a body as it is read. */
interface BodyWatch {
  readonly chunk: (bytes: Uint8Array) => void;
  readonly end: () => void;
}

/** Larger bodies are checked only once per operation and status, because checking takes time that some tests measure. */
const LARGE_BYTES = 256 * 1024;

/** Replaces `fetch` with one that checks the responses of watched origins as their bodies are read. */
export function watchFetch(): FetchWatch {
  const originalFetch = globalThis.fetch;
  const checks = new Map<string, ResponseCheck>();
  const checkedLarge = new Set<string | null>();
  let violations: readonly string[] = [];
  const add = (found: readonly string[]): void => void (violations = [...violations, ...found]);

  const checkWhole = ({ name, checkBody }: CheckedHead, body: Buffer): void => {
    if (body.length > LARGE_BYTES) {
      if (checkedLarge.has(name)) return;
      checkedLarge.add(name);
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
    const response = await originalFetch(input, init);
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

/** Returns the same response with a body that is watched as it is read. */
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
