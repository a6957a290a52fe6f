import { addAbortSignal, PassThrough, Readable } from 'node:stream';
import { logSourceContract, type SentToSource, type TestWith } from '@plugin-config/testing';
import { describe, expect, test } from 'vitest';
import { ndjsonSource } from './ndjson-source.ts';

const pipeTest: TestWith<SentToSource> = (name, run) =>
  test(name, async () => {
    const pipe = new PassThrough();
    const source = ndjsonSource({ open: (signal) => addAbortSignal(signal, pipe), time: new Date() });
    const send = async (lines: readonly string[]): Promise<void> => {
      for (const line of lines) pipe.write(`${line}\n`);
    };
    await run({ source, send, stop: new AbortController() });
  });

describe('the NDJSON source', () => {
  logSourceContract(pipeTest);

  test('redelivers the last lines of an input until they are stored, and then ends', async () => {
    const source = ndjsonSource({ open: () => Readable.from([Buffer.from('one\ntwo\n')]), time: new Date() });
    const batches = source.batches(new AbortController().signal)[Symbol.asyncIterator]();
    const texts: (readonly string[])[] = [];
    let next = batches.next();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { value: batch, done } = await next;
      if (done === true) break;
      texts.push(batch.messages.map(({ text }) => text));
      // Several at a time, like the worker.
      next = batches.next();
      await new Promise((resolve) => setImmediate(resolve));
      await (attempt < 3
        ? batch.release(new Error('The database is down.'))
        : batch.acknowledge(['stored', 'stored']));
    }
    expect(texts).toEqual([
      ['one', 'two'],
      ['one', 'two'],
      ['one', 'two'],
    ]);
    expect((await next).done).toBe(true);
  });

  test('an empty input ends', async () => {
    const source = ndjsonSource({ open: () => Readable.from([]), time: new Date() });
    expect(await Array.fromAsync(source.batches(new AbortController().signal))).toEqual([]);
  });
});
