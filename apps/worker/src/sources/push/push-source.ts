import {
  DomainError,
  fairQueue,
  patience,
  ranOutOfPatience,
  type FairQueue,
  type IngestReport,
  type LogSource,
  type Origin,
  type SourceBatch,
  type StopSignal,
} from '@plugin-config/domain';
import { breather } from '../../loops/breather.ts';
import { BATCH_CHARACTERS, BATCH_MESSAGES } from '../batch-limits.ts';
import { Push, type Portion } from './push.ts';

/** Takes what senders push, and lets them wait for what becomes of it. */
export interface PushSource extends LogSource {
  /**
   * Takes the lines of a body. Resolves when all of them are stored.
   * @throws DomainError `busy` where that takes too long. What was stored by then stays stored.
   */
  push(body: readonly Buffer[], sender: Sender): Promise<IngestReport>;
}

export interface Sender {
  readonly origin: Origin;
  /** The API key that it has: keys take turns. */
  readonly key: number;
  /** Calls back when the sender is gone, or has its answer. */
  onEnd(listener: () => void): void;
}

interface Options {
  readonly patienceMs?: number;
  /** A monotonic clock. */
  readonly now?: () => number;
}

const PATIENCE_MS = 30_000;
const LOOK_MS = 1000;

/** Stores what is pushed in batches that all keys share. While one batch is being stored, the next one gathers. */
export function pushSource({
  patienceMs = PATIENCE_MS,
  now = () => performance.now(),
}: Options = {}): PushSource {
  const queue = fairQueue<number, Push>();
  /** In the order in which their patience ends. */
  const waiting = new Set<Push>();
  let ended = false;
  let called = Promise.withResolvers<void>();

  const giveUp = (push: Push, reason: unknown): void => {
    queue.remove(push.key, push);
    push.fail(reason);
  };
  const giveUpLate = (): void => {
    for (const push of waiting) {
      if (push.patience.left() > 0) return;
      waiting.delete(push);
      giveUp(push, ranOutOfPatience());
    }
  };

  async function* batches(signal: StopSignal): AsyncGenerator<SourceBatch> {
    const end = (): void => called.resolve();
    const looks = setInterval(giveUpLate, LOOK_MS);
    signal.addEventListener('abort', end);
    while (!signal.aborted || queue.size > 0) {
      const portions = await gather(queue);
      if (portions.length > 0) yield batchOf(portions, giveUp);
      else if (!signal.aborted && queue.size === 0) {
        called = Promise.withResolvers();
        await called.promise;
      }
    }
    ended = true;
    clearInterval(looks);
    signal.removeEventListener('abort', end);
  }

  return {
    channel: 'http',
    batches,
    push: async (body, { origin, key, onEnd }) => {
      if (ended) throw new DomainError('unavailable', 'Shutting down.', { retryAfterSeconds: 1 });
      const push = new Push({ body, origin, key, patience: patience(patienceMs, now) });
      waiting.add(push);
      queue.add(key, push);
      onEnd(() => giveUp(push, new DomainError('unavailable', 'The sender is gone.')));
      called.resolve();
      return push.report.finally(() => waiting.delete(push));
    },
  };
}

/** Each key in its turn, and each of its pushes: a small one that comes behind a large one does not wait for its end. */
async function gather(queue: FairQueue<number, Push>): Promise<readonly Portion[]> {
  const { isDue, breathe } = breather();
  const portions: Portion[] = [];
  let messages = 0;
  let characters = 0;
  while (messages < BATCH_MESSAGES && characters < BATCH_CHARACTERS) {
    const push = queue.next();
    if (push === undefined) break;
    const portion = push.take();
    if (!push.isTaken) queue.add(push.key, push);
    if (portion.lines.length > 0) portions.push(portion);
    messages += portion.lines.length;
    characters += portion.characters;
    if (isDue()) await breathe();
  }
  return portions;
}

/** Two that are alike may be two. */
const noId = (): null => null;

function batchOf(portions: readonly Portion[], giveUp: (push: Push, reason: unknown) => void): SourceBatch {
  return {
    messages: portions.flatMap(({ push: { origin }, first, lines }) =>
      lines.map((text, i) => ({ text, origin, position: first + i, newId: noId })),
    ),
    acknowledge: async (outcomes) => {
      let at = 0;
      for (const { push, lines } of portions) push.stored(outcomes.slice(at, (at += lines.length)));
    },
    release: async (reason) => {
      for (const { push } of portions) giveUp(push, reason);
    },
  };
}
