import {
  DomainError,
  type IngestReport,
  type LogSource,
  type Origin,
  type SourceBatch,
  type StopSignal,
} from '@plugin-config/domain';
import { BATCH_CHARACTERS, BATCH_MESSAGES } from '../batch-limits.ts';
import { Push } from './push.ts';

/** Takes what senders push, and lets them wait for what becomes of it. */
export interface PushSource extends LogSource {
  /** The lines of a body, from one sender. Resolves when all of them are stored. */
  push(body: readonly Buffer[], origin: Origin): Promise<IngestReport>;
}

/** Some lines of a push, which may be stored in several batches. */
interface Portion {
  readonly push: Push;
  /** The position of the first of them in the push. */
  readonly first: number;
  readonly lines: readonly string[];
}

/** What a push has of a batch before the next one has its turn. */
const TURN_MESSAGES = 500;

/** While batches are being stored, what is pushed gathers, and is stored together. */
export function pushSource(): PushSource {
  const queue: Push[] = [];
  let ended = false;
  let called = Promise.withResolvers<void>();

  async function* batches(signal: StopSignal): AsyncGenerator<SourceBatch> {
    const end = (): void => called.resolve();
    signal.addEventListener('abort', end);
    while (!signal.aborted || queue.length > 0) {
      const portions = gather(queue);
      if (portions.length > 0) yield batchOf(portions);
      else if (!signal.aborted) {
        called = Promise.withResolvers();
        await called.promise;
      }
    }
    ended = true;
    signal.removeEventListener('abort', end);
  }

  return {
    channel: 'http',
    batches,
    push: (body, origin) => {
      if (ended) throw new DomainError('unavailable', 'Shutting down.', { retryAfterSeconds: 1 });
      const push = new Push(body, origin);
      queue.push(push);
      called.resolve();
      return push.report;
    },
  };
}

/** Each push in its turn: a small one that comes behind a large one does not wait for the end of it. */
function gather(queue: Push[]): readonly Portion[] {
  const portions: Portion[] = [];
  let messages = 0;
  let characters = 0;
  while (messages < BATCH_MESSAGES && characters < BATCH_CHARACTERS) {
    const push = queue.shift();
    if (push === undefined) break;
    const first = push.position;
    const lines = push.take(TURN_MESSAGES);
    if (lines.length > 0) portions.push({ push, first, lines });
    if (!push.isTaken) queue.push(push);
    messages += lines.length;
    characters += lines.reduce((sum, line) => sum + line.length, 0);
  }
  return portions;
}

/** Two that are alike may be two. */
const noId = (): null => null;

function batchOf(portions: readonly Portion[]): SourceBatch {
  return {
    messages: portions.flatMap(({ push: { origin }, first, lines }) =>
      lines.map((text, i) => ({ text, origin, position: first + i, newId: noId })),
    ),
    acknowledge: async (outcomes) => {
      let at = 0;
      for (const { push, lines } of portions) push.stored(outcomes.slice(at, (at += lines.length)));
    },
    release: async (reason) => {
      for (const { push } of portions) push.failed(reason);
    },
  };
}
