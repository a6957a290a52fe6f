import type { Api, ChangeOptions, WriteOptions } from '../calls/call.ts';
import { familyMethods, type FamilyMethods, type LogMethods } from '../calls/methods.ts';
import { headersOf } from '../calls/tags.ts';
import type { ConfigRecord, Family, Move, NewJob, Positions, RecordChange } from '../wire.ts';
import { updateUntilCurrent, type ChangeOf } from './update-until-current.ts';

/** The records of one family in a project. */
export interface ConfigRecords extends Omit<FamilyMethods, 'rearrange' | 'queueJob'> {
  /** Changes only the given fields. */
  update(id: number, change: RecordChange, options?: WriteOptions): Promise<ConfigRecord>;
  /** Reads the record and writes the change that the function returns. Starts over if another writer got there first. */
  update(id: number, change: ChangeOf, options?: Omit<ChangeOptions, 'requestId'>): Promise<ConfigRecord>;
  /** Moves one record. The others keep their relative order. `ifMatch` takes a page of the list. */
  rearrange(move: Move, options?: WriteOptions): Promise<ConfigRecord>;
  /** Sets the positions of several records. Returns all records in their new order. */
  setPositions(positions: Positions, options?: WriteOptions): Promise<readonly ConfigRecord[]>;
  queueJob(id: number, job?: NewJob, options?: Parameters<FamilyMethods['queueJob']>[2]): Promise<QueuedJob>;
}

/** The plugin configs of a project, which have logs. */
export interface PluginConfigs extends ConfigRecords, LogMethods {}

export interface QueuedJob {
  /** Empty after a dry run. */
  readonly jobId: string;
  /** The record at the time when the job was queued. */
  readonly record: ConfigRecord;
}

/** @internal */
export function configRecords(api: Api, project: string | number, family: Family): PluginConfigs {
  const methods = familyMethods(api, { project_id: project, family });
  return {
    ...methods,
    update: async (id, change, options = {}) =>
      typeof change === 'function'
        ? updateUntilCurrent(methods, id, change, options)
        : methods.update(id, change, options),
    rearrange: async (move, options) => (await methods.rearrange(move, options)) as ConfigRecord,
    setPositions: async (orders, options) =>
      (await methods.rearrange({ orders }, options)) as readonly ConfigRecord[],
    queueJob: async (id, job = {}, options) => {
      const record = await methods.queueJob(id, job, options);
      return { jobId: lastSegment(headersOf(record)?.get('location') ?? ''), record };
    },
  };
}

function lastSegment(url: string): string {
  return url.replace(/\/$/, '').replace(/^.*\//, '');
}
