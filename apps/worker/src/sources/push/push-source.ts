import { DomainError, timedOut, type LogSource, type MessageOrigin } from '@plugin-config/domain';
import { fairQueue, deadline, type StopSignal } from '@plugin-config/flow';
import type { TracedBatch } from '../../loops/ingest-from.ts';
import { batchGatherer, type Gathered } from './batch-gatherer.ts';
import { Push, type PushReport } from './push.ts';

/** The source of pushed lines. Each sender waits for the outcomes of its lines. */
export interface PushSource extends LogSource {
  /**
   * Stores the lines of a body. Resolves once all of them are stored.
   * @throws DomainError `busy` if that takes too long; lines that are already stored stay stored
   */
  push(body: readonly Buffer[], sender: Sender): Promise<PushReport>;
}

export interface Sender {
  readonly origin: MessageOrigin;
  /** The account of the sender. Batches are shared fairly among accounts. */
  readonly tenant: number;
  /** Calls the listener when the sender has disconnected or received its response. */
  onEnd(listener: () => void): void;
}

interface Options {
  readonly timeoutMs?: number;
  /** A monotonic clock. */
  readonly now?: () => number;
}

const TIMEOUT_MS = 30_000;
const CHECK_MS = 1000;

/** Tenants take turns. While a batch is being stored, the next one is gathered. */
export function pushSource({
  timeoutMs = TIMEOUT_MS,
  now = () => performance.now(),
}: Options = {}): PushSource {
  const queue = fairQueue<number, Push>();
  const gather = batchGatherer(queue, now);
  /** Sorted by deadline. */
  const waiting = new Set<Push>();
  let ended = false;
  let woken = Promise.withResolvers<void>();
  const wake = (): void => woken.resolve();

  const giveUp = (push: Push, reason: unknown): void => {
    queue.remove(push.tenant, push);
    push.fail(reason);
  };
  const requeue = (push: Push): void => queue.add(push.tenant, push);
  const giveUpTimedOut = (): void => {
    for (const push of waiting) {
      if (push.deadline.remainingMs() > 0) return;
      waiting.delete(push);
      giveUp(push, timedOut());
    }
  };

  async function* batches(signal: StopSignal): AsyncGenerator<TracedBatch> {
    const checks = setInterval(giveUpTimedOut, CHECK_MS);
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted || queue.size > 0) {
        woken = Promise.withResolvers();
        const gathered = await gather();
        if (gathered !== null) yield batchOf(gathered, { giveUp, requeue, ended: wake });
        else if (!signal.aborted || queue.size > 0) await woken.promise;
      }
      ended = true;
    } finally {
      clearInterval(checks);
      signal.removeEventListener('abort', wake);
    }
  }

  return {
    channel: 'http',
    batches,
    push: async (body, { origin, tenant, onEnd }) => {
      if (ended)
        throw new DomainError('unavailable', 'The worker is shutting down.', { retryAfterSeconds: 1 });
      const push = new Push({ body, origin, tenant, deadline: deadline(timeoutMs, now) });
      waiting.add(push);
      queue.add(tenant, push);
      onEnd(() => {
        if (waiting.delete(push))
          giveUp(push, new DomainError('unavailable', 'The sender has disconnected.'));
      });
      wake();
      return push.report.finally(() => waiting.delete(push));
    },
  };
}

interface BatchCallbacks {
  giveUp(push: Push, reason: unknown): void;
  requeue(push: Push): void;
  ended(): void;
}

function batchOf({ chunks, end }: Gathered, { giveUp, requeue, ended }: BatchCallbacks): TracedBatch {
  return {
    senders: chunks.flatMap(({ push: { span } }) => span ?? []),
    messages: chunks.flatMap(({ push: { origin }, positions, lines }) =>
      // Pushed lines get no derived id, because two equal lines may be two entries.
      lines.map((text, i) => ({ text, origin, position: positions[i] ?? 0 })),
    ),
    acknowledge: async (outcomes, read = []) => {
      let at = 0;
      for (const chunk of chunks) {
        const [from, to] = [at, (at += chunk.lines.length)];
        const hasMore = chunk.push.stored(chunk, outcomes.slice(from, to), read.slice(from, to));
        if (hasMore) requeue(chunk.push);
      }
      end();
      ended();
    },
    release: async (reason) => {
      for (const { push } of chunks) giveUp(push, reason);
      end();
      ended();
    },
  };
}
