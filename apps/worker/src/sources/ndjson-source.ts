import { setTimeout as sleep } from 'node:timers/promises';
import type { LogSource, Origin, SourceBatch, SourceMessage } from '@plugin-config/domain';
import { BATCH_AGE_MS, BATCH_BYTES, BATCH_MESSAGES } from './batch-limits.ts';
import { isBlank, lineSplitter } from './line-splitter.ts';
import { lineId } from './made-up-id.ts';

/** What is read, and the time of lines that tell none. */
export interface NdjsonInput {
  readonly chunks: AsyncIterable<Buffer>;
  readonly time: Date;
}

const LINE_MOST_BYTES = 32 * 1024 * 1024;

/** Lines of a file or of a pipe. What was released is handed out again, so all of it is stored at the end. */
export function ndjsonSource({ chunks, time }: NdjsonInput): LogSource {
  const origin: Origin = {
    channel: 'ndjson',
    receivedAt: time,
    streamTime: null,
    projectIds: [],
    deadLetterId: null,
  };

  async function* batches(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const out = new Outstanding(signal);
    for await (const messages of gathered(readLines(chunks, origin), signal)) {
      yield* out.again();
      yield out.batch(messages);
    }
    while (await out.someReleased()) yield* out.again();
  }

  return { channel: origin.channel, batches };
}

interface Read {
  readonly messages: readonly SourceMessage[];
  readonly bytes: number;
}

async function* readLines(chunks: AsyncIterable<Buffer>, origin: Origin): AsyncGenerator<Read> {
  const splitter = lineSplitter({ mostBytes: LINE_MOST_BYTES });
  let number = 0;
  const messages = (lines: readonly string[]): readonly SourceMessage[] => {
    const first = number + 1;
    number += lines.length;
    return lines.flatMap((text, i) =>
      isBlank(text) ? [] : [{ text, origin, newId: () => lineId(first + i, text) }],
    );
  };
  for await (const chunk of chunks) yield { messages: messages(splitter.add(chunk)), bytes: chunk.length };
  yield { messages: messages(splitter.end()), bytes: 0 };
}

