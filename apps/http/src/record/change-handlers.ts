import type { recordEndpoints } from '@plugin-config/contract';
import {
  createRecord,
  createRecordOnce,
  deleteRecord,
  replaceRecord,
  setConfiguration,
  updateRecord,
  type Author,
  type ConfigRecord,
  type ConfigRecordStore,
  type ConfigurationValues,
  type Precondition,
  type PluginStore,
} from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import { accessOf, sendNothing } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { replayed } from '../responses/send-response.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import type { MakeOncePerKey } from '../requests/once-per-key.ts';
import { recordPath, reserveChangedRecord, sendChangedRecord } from './present-record.ts';
import type { SerialisePerRecord } from './serialise-per-record.ts';

export interface ChangeDependencies {
  readonly records: ConfigRecordStore;
  readonly plugins: PluginStore;
  readonly configurationValues: ConfigurationValues;
  readonly requireRegistered: boolean;
  readonly baseUrl: BaseUrl;
  readonly serialise: SerialisePerRecord;
  readonly oncePerKey: MakeOncePerKey;
}

type Endpoints = Pick<
  typeof recordEndpoints,
  'createRecord' | 'updateRecord' | 'replaceRecord' | 'deleteRecord' | 'setConfiguration'
>;

export function changeHandlers(dependencies: ChangeDependencies): Handlers<Endpoints> {
  const { baseUrl, oncePerKey, serialise } = dependencies;
  const once = oncePerKey<ConfigRecord>();
  return {
    createRecord: {
      allowsCached: true,
      handle: async ({ request, reply, family, key, author, deadline, body: fields }) => {
        const command = { family, fields, author, deadline };
        const origin = baseUrl(request);
        reserveChangedRecord(reply, null);
        if (key === null) return sendCreated(reply, await createRecord(dependencies, command), origin);
        const idempotencyKey = { ...key, origin };
        const first = await once(idempotencyKey, deadline, () =>
          createRecordOnce(dependencies, command, idempotencyKey),
        );
        const { isCached, admitAgain } = accessOf(request);
        if (first.isShared && isCached) await admitAgain();
        // The configuration of the record may have grown since it was created.
        if (!first.isFirst) reserveChangedRecord(reply, first.value);
        sendCreated(replayed(reply, first), first.value, first.origin);
      },
    },

    updateRecord: {
      allowsCached: true,
      handle: ({ body: change, ...call }) =>
        sendChanged(dependencies, call, (basis) => updateRecord(dependencies, { ...basis, change })),
    },

    replaceRecord: {
      allowsCached: true,
      handle: ({ body: change, ...call }) =>
        sendChanged(dependencies, call, (basis) => replaceRecord(dependencies, { ...basis, change })),
    },

    deleteRecord: {
      allowsCached: true,
      handle: async ({ reply, record, reread, precondition, author, deadline }) => {
        await serialise(record, deadline, (newest) =>
          deleteRecord(dependencies, { record: newest, reread, precondition, author, deadline }),
        );
        sendNothing(reply);
      },
    },

    setConfiguration: ({ body: newConfig, ...call }) =>
      sendChanged(dependencies, call, (basis) => setConfiguration(dependencies, { ...basis, newConfig })),
  };
}

function sendCreated(reply: FastifyReply, record: ConfigRecord, origin: string): void {
  reply.code(201).header('location', origin + recordPath(record));
  sendChangedRecord(reply, record);
}

/** The input that all changes to a record have in common. */
interface ChangeBasis {
  /** The record as the guard read it, or as the previous change left it. */
  readonly record: ConfigRecord;
  readonly reread: (() => Promise<ConfigRecord>) | null;
  readonly precondition: Precondition;
  readonly author: Author;
  readonly deadline: Deadline;
}

async function sendChanged(
  { serialise }: ChangeDependencies,
  { reply, record, reread, precondition, author, deadline }: ChangeBasis & { readonly reply: FastifyReply },
  change: (basis: ChangeBasis) => Promise<ConfigRecord>,
): Promise<void> {
  const reserved = (read: ConfigRecord): ConfigRecord => {
    reserveChangedRecord(reply, read);
    return read;
  };
  const changed = await serialise(record, deadline, (newest) =>
    change({
      record: reserved(newest),
      reread: reread && (async () => reserved(await reread())),
      precondition,
      author,
      deadline,
    }),
  );
  sendChangedRecord(reply, changed);
}
