import type { recordEndpoints, WireConfigRecord } from '@plugin-config/contract';
import {
  readAtPositions,
  rearrangeRecord,
  setOrders,
  type ConfigRecord,
  type ConfigRecordStore,
} from '@plugin-config/domain';
import { leaveGate, readPart } from '@plugin-config/server';
import { sendJsonArray } from '../responses/send-json-array.ts';
import type { Handler } from '../endpoints/handler.ts';
import { CHUNK_MEMORY, presentRecord, sendChangedRecord } from './present-record.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
}

type Chunk = Parameters<ConfigRecordStore['chunk']>;

export function rearrangeHandler(
  dependencies: Dependencies,
): Handler<(typeof recordEndpoints)['rearrangeRecords']> {
  return async ({ request, reply, family, precondition, author, deadline, body: rearrangement }) => {
    const common = { family, precondition, author, deadline };
    // The change must not be rejected once it is stored.
    reply.server.unsent.reserve(reply, CHUNK_MEMORY);
    if (rearrangement.kind === 'move') {
      sendChangedRecord(reply, await rearrangeRecord(dependencies, { ...common, ...rearrangement }));
    } else {
      const positions = await setOrders(dependencies, { ...common, orders: rearrangement.orders });
      const records = {
        chunk: (...of: Chunk) => readPart(reply, () => dependencies.records.chunk(...of)),
      };
      // The caller may take its time to read the response.
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
