import type { SourceMessage, StopSignal } from '@plugin-config/domain';
import { BATCH_AGE_MS, BATCH_CHARACTERS, BATCH_MESSAGES } from './batch-limits.ts';

/** Gathers single messages into batches. A batch is ready when it is full or its first message has waited long enough. */
export interface Gatherer<Message extends SourceMessage> {
  add(message: Message): void;
  /** Resolves when at most about one batch is waiting. */
  room(): Promise<void>;
  /** Ends the input. The remaining messages make the last batches, unless a reason is given. */
  end(reason?: Error): void;
  /** Takes the messages that no batch has. */
  rest(): readonly Message[];
  batches(signal: StopSignal): AsyncGenerator<readonly Message[], void>;
}

export function gatherer<Message extends SourceMessage>(): Gatherer<Message> {
  let waiting: Message[] = [];
  let characters = 0;
  let since = 0;
  let ended: { readonly reason: Error | undefined } | null = null;
  let woken = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();

  const isFull = (): boolean => waiting.length >= BATCH_MESSAGES || characters >= BATCH_CHARACTERS;
  const age = (): number => performance.now() - since;
  const isDue = (): boolean => isFull() || (waiting.length > 0 && (ended !== null || age() >= BATCH_AGE_MS));

  const take = (): readonly Message[] => {
    const batch = waiting.splice(0, countOf(waiting));
    characters -= batch.reduce((sum, { text }) => sum + text.length, 0);
    taken.resolve();
    return batch;
  };
  const wake = (): void => woken.resolve();
  const wait = async (): Promise<void> => {
    woken = Promise.withResolvers();
    const timer = waiting.length > 0 ? setTimeout(wake, Math.max(0, BATCH_AGE_MS - age())) : undefined;
    await woken.promise;
    clearTimeout(timer);
  };

  return {
    add(message) {
      if (waiting.length === 0) since = performance.now();
      waiting.push(message);
      characters += message.text.length;
      if (waiting.length === 1 || isFull()) wake();
    },
    async room() {
      while (isFull()) {
        taken = Promise.withResolvers();
        await taken.promise;
      }
    },
    end(reason) {
      ended ??= { reason };
      wake();
    },
    rest() {
      const rest = waiting;
      waiting = [];
      characters = 0;
      taken.resolve();
      return rest;
    },
    async *batches(signal) {
      signal.addEventListener('abort', wake);
      while (!signal.aborted) {
        if (ended?.reason !== undefined) throw ended.reason;
        if (isDue()) yield take();
        else if (ended === null) await wait();
        else break;
      }
      signal.removeEventListener('abort', wake);
    },
  };
}

/** The number of messages from the front that fit into a batch; at least one. */
function countOf(messages: readonly SourceMessage[]): number {
  let characters = 0;
  const end = messages.findIndex(
    ({ text }, i) => i === BATCH_MESSAGES || (characters += text.length) > BATCH_CHARACTERS,
  );
  return end === -1 ? messages.length : Math.max(1, end);
}
