import { Readable } from 'node:stream';
import { JSON_UTF8 } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';

/**
 * Sends one array of many items, portion by portion: the next is read when the one before is on its way. A portion
 * that cannot be read ends the connection, the first one excepted, which is answered as an error.
 */
export function sendJsonArray(
  reply: FastifyReply,
  portions: AsyncIterable<readonly unknown[]>,
): FastifyReply {
  const stream = Readable.from(chunks(portions), { objectMode: false, highWaterMark: 1 });
  return reply.header('cache-control', 'no-store').header('content-type', JSON_UTF8).send(stream);
}

async function* chunks(portions: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const portion of portions) {
    if (portion.length === 0) continue;
    yield before + JSON.stringify(portion).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
