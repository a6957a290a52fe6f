import { configurationBody, createBody, updateBody } from '@plugin-config/contract';
import {
  createRecord,
  deleteRecord,
  setConfiguration,
  updateRecord,
  type ConfigRecordStore,
  type ConfigRecord,
  type Family,
  type Patience,
  type SecretBox,
} from '@plugin-config/domain';
import { accessOf } from '@plugin-config/service';
import type { AtMost } from '@plugin-config/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressedFamily, addressedRecord, authorOf } from '../access/addressed.ts';
import { preconditionOf, recordName } from '../answers/entity-tag.ts';
import { sendChanged } from '../answers/send-answer.ts';
import { bodyOf, checked } from '../requests/checked.ts';
import type { Origin } from '../requests/origin.ts';
import { patienceOf } from './patience-of.ts';
import { recordAnswer } from './present-record.ts';
import { recordPath } from './record-path.ts';
import type { Turns } from './turns.ts';

export interface RecordChanging {
  readonly records: ConfigRecordStore;
  readonly secretBox: SecretBox;
  readonly requireRegistered: boolean;
  readonly origin: Origin;
  readonly turns: Turns;
  /** For what takes long to read, to compare and to store. */
  readonly large: AtMost;
}

/** Of the body and of what it replaces. */
const SMALL_BYTES = 16 * 1024;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function create({ records, requireRegistered, origin }: RecordChanging, family: Family): Handler {
  return async (request, reply) => {
    const fields = checked(createBody, bodyOf(request));
    const record = await createRecord(
      { records, requireRegistered },
      {
        family: addressedFamily(request, family),
        fields,
        author: authorOf(request),
        patience: patienceOf(reply),
      },
    );
    reply.code(201).header('location', origin(request) + recordPath(record));
    sendChanged(reply, recordAnswer(record));
  };
}

export function update(dependencies: RecordChanging): Handler {
  return async (request, reply) => {
    const change = checked(updateBody, bodyOf(request));
    const work: Work = (known) => updateRecord(dependencies, { ...known, change });
    sendChanged(reply, recordAnswer(await inTurn(dependencies, reply, work)));
  };
}

export function remove(dependencies: RecordChanging): Handler {
  return async (_request, reply) => {
    await inTurn(dependencies, reply, (known) => deleteRecord(dependencies, known));
    reply.code(204).header('cache-control', 'no-store').send();
  };
}

/** Large ones take turns by project, each as a whole: what they cost between two waits holds up every other request. */
export function configure(dependencies: RecordChanging): Handler {
  return async (request, reply) => {
    const configureNow = async (): Promise<ConfigRecord> => {
      const asked = checked(configurationBody, bodyOf(request));
      return inTurn(dependencies, reply, (known) => setConfiguration(dependencies, { ...known, asked }));
    };
    const { projectId, record } = accessOf(request);
    const bytes = (record?.config.length ?? 0) + Number(request.headers['content-length'] ?? Infinity);
    const changed =
      bytes <= SMALL_BYTES
        ? await configureNow()
        : await dependencies.large(projectId, configureNow, patienceOf(reply));
    sendChanged(reply, recordAnswer(changed));
  };
}

type KnownRecord = ReturnType<typeof knownRecord>;

type Work = (known: KnownRecord & { readonly patience: Patience }) => Promise<ConfigRecord>;

function inTurn<T>(
  { turns }: RecordChanging,
  reply: FastifyReply,
  work: (known: KnownRecord & { readonly patience: Patience }) => Promise<T>,
): Promise<T> {
  const found = knownRecord(reply.request);
  const patience = patienceOf(reply);
  return turns(found.known.id, patience, () => work({ ...found, patience }));
}

/** The record as the request found it, and on which of its versions it will act. */
export function knownRecord(request: FastifyRequest) {
  const known = addressedRecord(request);
  return {
    known,
    precondition: preconditionOf(request.headers['if-match'], recordName(known)),
    author: authorOf(request),
  };
}
