import { Readable } from 'node:stream';
import type { WireConfigRecord } from '@plugin-config/contract';
import {
  readAtPositions,
  rearrangeRecord,
  setOrders,
  withPluginId,
  type ConfigRecord,
  type ConfigRecordStore,
} from '@plugin-config/domain';
import { JSON_UTF8, leaveGate, readPart } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import type { HandlerOf } from '../endpoints/handler.ts';
import { CHUNK_MEMORY, presentRecord, sendChangedRecord } from './present-record.ts';
import type { Services } from '../services.ts';

type ChunkParameters = Parameters<ConfigRecordStore['chunk']>;

export function rearrangeHandler(dependencies: Services): HandlerOf<'rearrangeRecords'> {
  return async ({ request, reply, family, precondition, author, deadline, body: rearrangement }) => {
    const common = { family, precondition, author, deadline };
    // Reserved in advance, because a stored change must not be rejected.
    reply.server.unsent.reserve(reply, CHUNK_MEMORY);
    if (rearrangement.kind === 'move') {
      const { order } = rearrangement;
      const wanted = await withPluginId(dependencies, rearrangement.wanted);
      sendChangedRecord(reply, await rearrangeRecord(dependencies, { ...common, order, wanted }));
    } else {
      const positions = await setOrders(dependencies, { ...common, orders: rearrangement.orders });
      const records = {
        chunk: (...args: ChunkParameters) => readPart(reply, () => dependencies.records.chunk(...args)),
      };
      // The caller may read the response slowly.
      leaveGate(request);
      await sendJsonArray(reply, presented(readAtPositions({ records }, family, positions)));
    }
  };
}

async function* presented(
  chunks: AsyncIterable<readonly ConfigRecord[]>,
): AsyncGenerator<readonly WireConfigRecord[]> {
  for await (const chunk of chunks) yield chunk.map(presentRecord);
}

/**
 * Streams an array in chunks, and reads each chunk once the caller has received the previous one. If the first read fails, the
 * response is an error; a later failure closes the connection.
 */
function sendJsonArray(reply: FastifyReply, chunks: AsyncIterable<readonly unknown[]>): FastifyReply {
  const stream = Readable.from(jsonOf(chunks), { objectMode: false, highWaterMark: 1 });
  return reply.header('cache-control', 'no-store').header('content-type', JSON_UTF8).send(stream);
}

async function* jsonOf(chunks: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let prefix = '[';
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield prefix + JSON.stringify(chunk).slice(1, -1);
    prefix = ',';
  }
  yield prefix === '[' ? '[]' : ']';
}
