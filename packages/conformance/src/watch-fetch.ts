import type { AnswerCheck, CheckedHead } from './answer-check.ts';

/** Looks on while tests send requests. */
export interface FetchWatch {
  /** From now on, the answers of this origin are checked. */
  watch(origin: string, check: AnswerCheck): void;
  /** Returns the violations since the last call. */
  takeViolations(): readonly string[];
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

  globalThis.fetch = async (input, init) => {
    const response = await fetchUnwatched(input, init);
    const { origin, pathname: path } = new URL(input instanceof Request ? input.url : input);
    const check = checks.get(origin);
    if (check === undefined) return response;
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const head = check({
      method: method.toUpperCase(),
      path,
      status: response.status,
      headers: response.headers,
    });
    add(head.violations);
    if (response.body === null) {
      add(head.checkBody(''));
      return response;
    }
    const chunks: Uint8Array[] = [];
    const looked = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        chunks.push(chunk);
        controller.enqueue(chunk);
      },
      flush: () => checkWhole(head, Buffer.concat(chunks)),
    });
    const { status, statusText, headers, url } = response;
    const watched = new Response(response.body.pipeThrough(looked), { status, statusText, headers });
    return Object.defineProperty(watched, 'url', { value: url });
  };

  return {
    watch: (origin, check) => void checks.set(new URL(origin).origin, check),
    takeViolations: () => {
      const taken = violations;
      violations = [];
      return taken;
    },
  };
}
