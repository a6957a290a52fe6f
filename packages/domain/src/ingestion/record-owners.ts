import type { LogQuota } from '../usage/log-quota.ts';
import type { RecordRef } from '../project/family.ts';

/** The project and family of a record, which never change, its current plugin, and the quota of the project. */
export interface Owner extends Omit<RecordRef, 'id'> {
  readonly plugin: number;
  readonly logQuota: LogQuota;
}

export interface RecordOwners {
  /** The owners of the existing records among these, by record id. */
  of(recordIds: readonly number[]): Promise<ReadonlyMap<number, Owner>>;
}
