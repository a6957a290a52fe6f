import type { recordEndpoints, WireConfigRecord } from '@plugin-config/contract';
import {
  PORTION_MAX_BYTES,
  readAtPositions,
  rearrangeRecord,
  setOrders,
  type ConfigRecord,
  type ConfigRecordStore,
} from '@plugin-config/domain';
import { authorOf } from '../access/addressed.ts';
import { sendJsonArray } from '../answers/send-json-array.ts';
import { sendChanged } from '../answers/send-answer.ts';
import type { Handler } from '../endpoints/handler.ts';
import { patienceOf } from '../requests/patience-of.ts';
import { presentRecord, recordAnswer } from './present-record.ts';

/** A portion as JSON text, in which characters are escaped. Claimed before the change: it must not be refused after it. */
const PORTION_MEMORY = 2 * PORTION_MAX_BYTES;

interface Dependencies {
  readonly records: ConfigRecordStore;
}

export function rearrangeHandler(
  dependencies: Dependencies,
): Handler<(typeof recordEndpoints)['rearrangeRecords']> {
  return async ({ request, reply, family, precondition, body: asked }) => {
    const order = { family, precondition, author: authorOf(request), patience: patienceOf(request) };
    if (asked.kind === 'move') {
      sendChanged(reply, recordAnswer(await rearrangeRecord(dependencies, { ...order, ...asked })));
    } else {
      reply.server.unsent.claim(reply, PORTION_MEMORY);
      const places = await setOrders(dependencies, { ...order, orders: asked.orders });
      await sendJsonArray(reply, presented(readAtPositions(dependencies, family, places)));
    }
  };
}

async function* presented(
  portions: AsyncIterable<readonly ConfigRecord[]>,
): AsyncGenerator<readonly WireConfigRecord[]> {
  for await (const portion of portions) yield portion.map(presentRecord);
}
