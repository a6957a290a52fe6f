import type { recordEndpoints, WireConfigRecord } from '@plugin-config/contract';
import {
  readAtPositions,
  rearrangeRecord,
  setOrders,
  type ConfigRecord,
  type ConfigRecordStore,
} from '@plugin-config/domain';
import { sendJsonArray } from '../answers/send-json-array.ts';
import type { Handler } from '../endpoints/handler.ts';
import { PORTION_MEMORY, presentRecord, sendChangedRecord } from './present-record.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
}

export function rearrangeHandler(
  dependencies: Dependencies,
): Handler<(typeof recordEndpoints)['rearrangeRecords']> {
  return async ({ reply, family, precondition, author, patience, body: rearrangement }) => {
    const common = { family, precondition, author, patience };
    // The change must not be refused once it is stored.
    reply.server.unsent.reserve(reply, PORTION_MEMORY);
    if (rearrangement.kind === 'move') {
      sendChangedRecord(reply, await rearrangeRecord(dependencies, { ...common, ...rearrangement }));
    } else {
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
