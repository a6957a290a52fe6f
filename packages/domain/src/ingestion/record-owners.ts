import type { RecordRef } from '../project/family.ts';

/** The project and family of a record, which never change, and its current plugin. */
export interface Owner extends Omit<RecordRef, 'id'> {
  readonly plugin: number;
}

export interface RecordOwners {
  /** The owners of the existing records among these, by record id. */
  of(recordIds: readonly number[]): Promise<ReadonlyMap<number, Owner>>;
}
