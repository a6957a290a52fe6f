import { Readable } from 'node:stream';
import { JSON_UTF8 } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';

/**
 * Streams an array in chunks: the next one is read once the caller has received the one before. If the first chunk
 * cannot be read, the response is an error; if a later one cannot be read, the connection is closed.
 */
export function sendJsonArray(reply: FastifyReply, chunks: AsyncIterable<readonly unknown[]>): FastifyReply {
  const stream = Readable.from(jsonOf(chunks), { objectMode: false, highWaterMark: 1 });
  return reply.header('cache-control', 'no-store').header('content-type', JSON_UTF8).send(stream);
}

async function* jsonOf(chunks: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield before + JSON.stringify(chunk).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
