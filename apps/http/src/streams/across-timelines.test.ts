import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { openAcrossTimelines } from './across-timelines.ts';
import type { StartParts } from './open-stream.ts';

test('a stream is reopened at its last cursor on the next timeline, and ends with its signal', async () => {
  const [first, second, closing] = [new AbortController(), new AbortController(), new AbortController()];
  const access = {
    timeline: { id: 'a', ended: first.signal },
    admitAgain: async () => ({ timeline: { id: 'b', ended: second.signal } }),
  };
  const opened: (string | null)[] = [];
  const open = (cursor: string | null): StartParts => {
    opened.push(cursor);
    return async function* (signal) {
      yield [{ id: `${opened.length}-1` }, { id: `${opened.length}-2` }];
      if (opened.length === 1) first.abort();
      // A page from the lost server, read too late.
      yield [{ id: `${opened.length}-3` }];
      closing.abort();
      expect(signal.aborted).toBe(true);
    };
  };
  const start = await openAcrossTimelines({ access } as unknown as FastifyRequest, '0-0', open);
  const parts = await Array.fromAsync(start(closing.signal));
  expect(opened).toEqual(['0-0', '1-2']);
  expect(parts.map((part) => part.at(-1)?.id)).toEqual(['1-2', '2-2', '2-3']);
});
