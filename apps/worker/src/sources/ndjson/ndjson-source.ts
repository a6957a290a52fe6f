import type { LogSource, MessageOrigin, SourceBatch, SourceMessage } from '@plugin-config/domain';
import { GATHERING, MESSAGE_MAX_BYTES } from '../batch-limits.ts';
import { gatherer, type Gatherer } from '@plugin-config/flow/node';
import { isBlank, lineSplitter } from '../line-splitter.ts';
import { lineId } from '../derived-id.ts';

export interface NdjsonInput {
  readonly open: (signal: AbortSignal) => AsyncIterable<Buffer>;
  /** Used for lines that have neither a timestamp nor an id. */
  readonly time: Date;
}

/** Reads the lines of a file or a pipe. Yields released batches again until everything is stored. */
export function ndjsonSource({ open: openInput, time }: NdjsonInput): LogSource {
  const origin: MessageOrigin = {
    channel: 'ndjson',
    receivedAt: time,
    streamTime: null,
    projectIds: [],
    pluginIds: [],
    owner: 'source ndjson',
    deadLetterId: null,
  };
  return {
    channel: origin.channel,
    async *batches(signal: AbortSignal) {
      const lines = gatherer<SourceMessage>(GATHERING);
      /** The number of unacknowledged lines, plus one while the input is being read. Above 0, lines can still be added. */
      let unfinished = 1;
      const finish = (count: number): void => {
        unfinished -= count;
        if (unfinished === 0) lines.end();
      };
      const add = (line: SourceMessage): void => {
        unfinished += 1;
        lines.add(line);
      };
      read(openInput(signal), origin, { ...lines, add }).then(() => finish(1), lines.end);
      for await (const messages of lines.batches(signal))
        yield batchOf(messages, { finish, redeliver: lines.add });
    },
  };
}

async function read(
  chunks: AsyncIterable<Buffer>,
  origin: MessageOrigin,
  gathered: Gatherer<SourceMessage>,
): Promise<void> {
  const splitter = lineSplitter({ maxBytes: MESSAGE_MAX_BYTES });
  let number = 0;
  const add = (line: string): void => {
    number++;
    const at = number;
    if (!isBlank(line)) gathered.add({ text: line, origin, position: at, newId: () => lineId(at, line) });
  };
  for await (const chunk of chunks) {
    splitter.add(chunk).forEach(add);
    await gathered.room();
  }
  splitter.end().forEach(add);
}

interface Redelivery {
  finish(count: number): void;
  redeliver(message: SourceMessage): void;
}

function batchOf(messages: readonly SourceMessage[], { finish, redeliver }: Redelivery): SourceBatch {
  return {
    messages,
    acknowledge: async (outcomes) => {
      const unstored = messages.filter((_, at) => outcomes[at] === 'unavailable');
      unstored.forEach(redeliver);
      finish(outcomes.length - unstored.length);
    },
    release: async () => messages.forEach(redeliver),
  };
}
