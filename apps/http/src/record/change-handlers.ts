import type { recordEndpoints } from '@plugin-config/contract';
import {
  createRecord,
  createRecordOnce,
  deleteRecord,
  replaceRecord,
  patchConfiguration,
  setConfiguration,
  updateRecord,
  type ConfigRecord,
  type ConfigRecordStore,
  type ConfigurationValues,
  type PluginStore,
} from '@plugin-config/domain';
import { sendNothing } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { replayed } from '../responses/send-response.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { recordPath, reserveChangedRecord, sendChangedRecord } from './present-record.ts';

export interface ChangeDependencies {
  readonly records: ConfigRecordStore;
  readonly plugins: PluginStore;
  readonly configurationValues: ConfigurationValues;
  readonly requireRegistered: boolean;
  readonly baseUrl: BaseUrl;
}

type Endpoints = Pick<
  typeof recordEndpoints,
  | 'createRecord'
  | 'updateRecord'
  | 'replaceRecord'
  | 'deleteRecord'
  | 'setConfiguration'
  | 'patchConfiguration'
>;

export function changeHandlers(dependencies: ChangeDependencies): Handlers<Endpoints> {
  const { baseUrl } = dependencies;
  return {
    createRecord: async ({ request, reply, family, key, author, deadline, body }) => {
      const { config, ...fields } = body;
      const command = { family, fields, config, author, deadline };
      const origin = baseUrl(request);
      reserveChangedRecord(reply, null);
      if (key === null) return sendCreated(reply, await createRecord(dependencies, command), origin);
      const first = await createRecordOnce(dependencies, command, { ...key, origin });
      // The configuration of the record may have grown since it was created.
      if (!first.isFirst) reserveChangedRecord(reply, first.value);
      sendCreated(replayed(reply, first), first.value, first.origin);
    },

    updateRecord: ({ reply, body: { config, ...change }, ...call }) =>
      sendChanged(reply, call, () =>
        updateRecord(dependencies, { ...call, change, newConfig: config && (() => config) }),
      ),

    replaceRecord: ({ reply, body: { config, ...change }, ...call }) =>
      sendChanged(reply, call, () =>
        replaceRecord(dependencies, { ...call, change, newConfig: config && (() => config) }),
      ),

    deleteRecord: async ({ reply, ...call }) => {
      await deleteRecord(dependencies, call);
      sendNothing(reply);
    },

    setConfiguration: ({ reply, body: newConfig, ...call }) =>
      sendChanged(reply, call, () => setConfiguration(dependencies, { ...call, newConfig })),

    patchConfiguration: ({ reply, body: patch, ...call }) =>
      sendChanged(reply, call, () => patchConfiguration(dependencies, { ...call, patch })),
  };
}

function sendCreated(reply: FastifyReply, record: ConfigRecord, origin: string): void {
  reply.code(201).header('location', origin + recordPath(record));
  sendChangedRecord(reply, record);
}

async function sendChanged(
  reply: FastifyReply,
  { record }: { readonly record: ConfigRecord },
  change: () => Promise<ConfigRecord>,
): Promise<void> {
  reserveChangedRecord(reply, record);
  sendChangedRecord(reply, await change());
}
