import { addAbortSignal, PassThrough } from 'node:stream';
import { logSourceContract, type SentToSource, type TestWith } from '@plugin-config/testing';
import { describe, test } from 'vitest';
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
});
