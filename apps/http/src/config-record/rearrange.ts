import { rearrangeBody, type WireConfigRecord } from '@plugin-config/contract';
import {
  PORTION_MAX_BYTES,
  readPlaced,
  rearrangeRecord,
  setOrders,
  type ConfigRecord,
  type ConfigRecordStore,
  type Family,
} from '@plugin-config/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressedFamily, authorOf } from '../access/addressed.ts';
import { familyName, preconditionOf } from '../answers/entity-tag.ts';
import { sendJsonArray } from '../answers/send-json-array.ts';
import { sendChanged } from '../answers/send-answer.ts';
import { bodyOf, checked } from '../requests/checked.ts';
import { patienceOf } from './patience-of.ts';
import { presentRecord, recordAnswer } from './present-record.ts';

/** A portion as JSON text, in which characters are escaped. Claimed before the change: it must not be refused after it. */
const PORTION_MEMORY = 2 * PORTION_MAX_BYTES;

interface Dependencies {
  readonly records: ConfigRecordStore;
}

export function rearrange(dependencies: Dependencies, family: Family) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const asked = checked(rearrangeBody, bodyOf(request));
    const addressed = addressedFamily(request, family);
    const order = {
      family: addressed,
      precondition: preconditionOf(request.headers['if-match'], familyName(addressed)),
      author: authorOf(request),
      patience: patienceOf(reply),
    };
    if (asked.kind === 'move') {
      sendChanged(reply, recordAnswer(await rearrangeRecord(dependencies, { ...order, ...asked })));
    } else {
      reply.server.unsent.claim(reply, PORTION_MEMORY);
      const places = await setOrders(dependencies, { ...order, orders: asked.orders });
      const portions = readPlaced(dependencies, addressed, places);
      await sendJsonArray(reply, presented(portions));
    }
  };
}

async function* presented(
  portions: AsyncIterable<readonly ConfigRecord[]>,
): AsyncGenerator<readonly WireConfigRecord[]> {
  for await (const portion of portions) yield portion.map(presentRecord);
}
