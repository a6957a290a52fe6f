import { rearrangeBody } from '@plugin-config/contract';
import { rearrangeRecord, setOrders, type ConfigRecordStore, type Family } from '@plugin-config/domain';
import { sendJson } from '@plugin-config/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressedFamily, authorOf } from '../access/addressed.ts';
import { familyName, preconditionOf } from '../answers/entity-tag.ts';
import { sendChanged } from '../answers/send-answer.ts';
import { bodyOf, checked } from '../requests/checked.ts';
import { presentRecord, recordAnswer } from './present-record.ts';

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
    };
    if (asked.kind === 'move') {
      sendChanged(reply, recordAnswer(await rearrangeRecord(dependencies, { ...order, ...asked })));
    } else {
      const live = await setOrders(dependencies, { ...order, orders: asked.orders });
      sendJson(reply, live.map(presentRecord));
    }
  };
}
