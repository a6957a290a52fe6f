import {
  createRecord,
  deleteRecord,
  grantedChange,
  replaceRecord,
  patchConfiguration,
  pinRecord,
  setConfiguration,
  updateRecord,
  upgradeRecord,
  withPluginId,
  type ConfigRecord,
} from '@plugin-config/domain';
import { accessOf, sendNothing } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import type { HandlersOf } from '../endpoints/handler.ts';
import { recordPath, reserveChangedRecord, sendChangedRecord } from './present-record.ts';
import type { Services } from '../services.ts';

export function changeHandlers(
  dependencies: Services,
): HandlersOf<
  | 'createRecord'
  | 'updateRecord'
  | 'replaceRecord'
  | 'deleteRecord'
  | 'setConfiguration'
  | 'patchConfiguration'
  | 'pinRecord'
  | 'upgradeRecord'
> {
  const { baseUrl } = dependencies;
  return {
    createRecord: async ({ request, reply, family, author, deadline, body }) => {
      const { config, ...fields } = body;
      const command = { family, fields, config, author, deadline };
      reserveChangedRecord(reply, null);
      const record = await createRecord(dependencies, command);
      sendChangedRecord(reply.code(201), record, baseUrl(request) + recordPath(record));
    },

    updateRecord: ({ reply, body: { config, ...fields }, ...call }) =>
      sendChanged(reply, call, async () => {
        const { key } = accessOf(call.request);
        const change = grantedChange(key, call.record, await withPluginId(dependencies, fields));
        return updateRecord(dependencies, { ...call, change, newConfig: config && (() => config) });
      }),

    replaceRecord: ({ reply, body: { config, ...fields }, ...call }) =>
      sendChanged(reply, call, async () => {
        const change = await withPluginId(dependencies, fields);
        return replaceRecord(dependencies, { ...call, change, newConfig: config && (() => config) });
      }),

    deleteRecord: async ({ reply, ...call }) => {
      await deleteRecord(dependencies, call);
      sendNothing(reply);
    },

    setConfiguration: ({ reply, body: newConfig, ...call }) =>
      sendChanged(reply, call, () => setConfiguration(dependencies, { ...call, newConfig })),

    patchConfiguration: ({ reply, body: patch, ...call }) =>
      sendChanged(reply, call, () => patchConfiguration(dependencies, { ...call, patch })),

    pinRecord: ({ reply, body: { version }, ...call }) =>
      sendChanged(reply, call, () => pinRecord(dependencies, { ...call, version })),

    upgradeRecord: ({ reply, body: { version = null, force }, ...call }) =>
      sendChanged(reply, call, () => upgradeRecord(dependencies, { ...call, version, force })),
  };
}

async function sendChanged(
  reply: FastifyReply,
  { record }: { readonly record: ConfigRecord },
  change: () => Promise<ConfigRecord>,
): Promise<void> {
  reserveChangedRecord(reply, record);
  sendChangedRecord(reply, await change());
}
