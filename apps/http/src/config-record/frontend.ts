import { frontendView, recordNotFound, type ConfigRecordStore } from '@plugin-config/domain';
import { sendJson } from '@plugin-config/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressedRecord } from '../access/addressed.ts';
import { presentRecord } from './present-record.ts';

export function frontend({ records }: { readonly records: ConfigRecordStore }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const stored = await records.configuration(addressedRecord(request));
    if (stored === null) throw recordNotFound();
    sendJson(reply, presentRecord(frontendView(stored)));
  };
}
