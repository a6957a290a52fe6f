import type { RecordRef } from '../project/family.ts';

/** The project and the family of a record, which never change, and the plugin that it has now. */
export interface Owner extends Omit<RecordRef, 'id'> {
  readonly plugin: number;
}

export interface RecordOwners {
  /** By their ids, the owners of those of these records that exist. */
  of(recordIds: readonly number[]): Promise<ReadonlyMap<number, Owner>>;
}
