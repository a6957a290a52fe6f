import type { recordEndpoints, WireConfigRecord } from '@plugin-config/contract';
import {
  PORTION_MAX_BYTES,
  readAtPositions,
  rearrangeRecord,
  setOrders,
  type ConfigRecord,
  type ConfigRecordStore,
} from '@plugin-config/domain';
import { sendJsonArray } from '../answers/send-json-array.ts';
import type { Handler } from '../endpoints/handler.ts';
import { presentRecord, sendChangedRecord } from './present-record.ts';

/** The memory of a portion as escaped JSON. It is reserved before the change, which must not be refused afterwards. */
const PORTION_MEMORY = 2 * PORTION_MAX_BYTES;

interface Dependencies {
  readonly records: ConfigRecordStore;
}

export function rearrangeHandler(
  dependencies: Dependencies,
): Handler<(typeof recordEndpoints)['rearrangeRecords']> {
  return async ({ reply, family, precondition, author, patience, body: rearrangement }) => {
    const common = { family, precondition, author, patience };
    if (rearrangement.kind === 'move') {
      sendChangedRecord(reply, await rearrangeRecord(dependencies, { ...common, ...rearrangement }));
    } else {
      reply.server.unsent.reserve(reply, PORTION_MEMORY);
      const positions = await setOrders(dependencies, { ...common, orders: rearrangement.orders });
      await sendJsonArray(reply, presented(readAtPositions(dependencies, family, positions)));
    }
  };
}

async function* presented(
  portions: AsyncIterable<readonly ConfigRecord[]>,
): AsyncGenerator<readonly WireConfigRecord[]> {
  for await (const portion of portions) yield portion.map(presentRecord);
}
