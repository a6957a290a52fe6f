import type { Author } from '../kernel/author.ts';
import { requireSameBody, type IdempotencyKey, type Once } from '../idempotency/idempotency-key.ts';
import type { Deadline } from '@plugin-config/flow';
import type { ConfigRecordStore } from './config-record-store.ts';
import { draftRecord, type ConfigRecord, type RecordChange } from './config-record.ts';
import type { FamilyRef } from '../project/family.ts';

interface Dependencies {
  readonly records: Pick<ConfigRecordStore, 'create' | 'createOnce'>;
  readonly requireRegistered: boolean;
}

interface Command {
  readonly family: FamilyRef;
  readonly fields: RecordChange;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

export async function createRecord(
  { records, requireRegistered }: Dependencies,
  { family, fields, author, deadline }: Command,
): Promise<ConfigRecord> {
  return records.create(family, draftRecord(fields), { author, requireRegistered, deadline });
}

/** Creates the record, unless an earlier request with this key did: then returns that record, as it was created. */
export async function createRecordOnce(
  { records, requireRegistered }: Dependencies,
  { family, fields, author, deadline }: Command,
  key: IdempotencyKey,
): Promise<Once<ConfigRecord>> {
  const options = { author, requireRegistered, deadline };
  return requireSameBody(key, await records.createOnce(family, draftRecord(fields), options, key));
}
