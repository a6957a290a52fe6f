import type { recordEndpoints } from '@plugin-config/contract';
import {
  createRecord,
  deleteRecord,
  setConfiguration,
  updateRecord,
  type AtMost,
  type Author,
  type ConfigRecord,
  type ConfigRecordStore,
  type Patience,
  type Precondition,
  type SecretBox,
} from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { authorOf } from '../access/addressed.ts';
import { sendChanged } from '../answers/send-answer.ts';
import type { Handler } from '../endpoints/handler.ts';
import type { Origin } from '../requests/origin.ts';
import { patienceOf } from '../requests/patience-of.ts';
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

type Endpoints = typeof recordEndpoints;

export function createHandler({
  records,
  requireRegistered,
  origin,
}: RecordChanging): Handler<Endpoints['createRecord']> {
  return async ({ request, reply, family, body: fields }) => {
    const order = { family, fields, author: authorOf(request), patience: patienceOf(request) };
    const record = await createRecord({ records, requireRegistered }, order);
    reply.code(201).header('location', origin(request) + recordPath(record));
    sendChanged(reply, recordAnswer(record));
  };
}

export function updateHandler(dependencies: RecordChanging): Handler<Endpoints['updateRecord']> {
  return async ({ body: change, ...call }) => {
    const changed = await inTurn(dependencies, call, (known) =>
      updateRecord(dependencies, { ...known, change }),
    );
    sendChanged(call.reply, recordAnswer(changed));
  };
}

export function deleteHandler(dependencies: RecordChanging): Handler<Endpoints['deleteRecord']> {
  return async (call) => {
    await inTurn(dependencies, call, (known) => deleteRecord(dependencies, known));
    call.reply.code(204).header('cache-control', 'no-store').send();
  };
}

/** Large ones take turns by project, each as a whole: what they cost between two waits holds up every other request. */
export function configurationHandler(dependencies: RecordChanging): Handler<Endpoints['setConfiguration']> {
  return {
    takeTurn: (request, work) =>
      isSmall(request) ? work() : dependencies.large(accessOf(request).projectId, work, patienceOf(request)),
    handle: async ({ body: newConfig, ...call }) => {
      const changed = await inTurn(dependencies, call, (known) =>
        setConfiguration(dependencies, { ...known, newConfig }),
      );
      sendChanged(call.reply, recordAnswer(changed));
    },
  };
}

function isSmall(request: FastifyRequest): boolean {
  const replaced = accessOf(request).record?.config.length ?? 0;
  return replaced + Number(request.headers['content-length'] ?? Infinity) <= SMALL_BYTES;
}

/** The record as the request found it, on which of its versions to act, for whom, and how long. */
interface KnownRecord {
  readonly known: ConfigRecord;
  readonly precondition: Precondition;
  readonly author: Author;
  readonly patience: Patience;
}

interface RecordCall {
  readonly request: FastifyRequest;
  readonly record: ConfigRecord;
  readonly precondition: Precondition;
}

function inTurn(
  { turns }: RecordChanging,
  { request, record: known, precondition }: RecordCall,
  work: (known: KnownRecord) => Promise<ConfigRecord>,
): Promise<ConfigRecord> {
  const patience = patienceOf(request);
  const author = authorOf(request);
  return turns(known.id, patience, () => work({ known, precondition, author, patience }));
}
