import type { Call, ChangeOptions, IdempotencyOptions, ReadOptions, RequestOptions } from './calls/call.ts';
import { listing, type Listing } from './calls/listing.ts';
import type {
  Adoption,
  Applied,
  ApplyRequest,
  Document,
  EditedRecord,
  OwnedQuery,
  OwnedRecord,
  Plan,
  PlanRequest,
  Release,
} from './wire/declaration.ts';

/** Reads and writes the records of a manager as one document. */
export interface ProjectConfiguration {
  /** Exports the live records of the manager. */
  export(manager: string, options?: ReadOptions<Document>): Promise<Document>;
  /** Returns what applying the document would change, without changing it. */
  plan(request: PlanRequest, options?: RequestOptions): Promise<Plan>;
  /** Makes all changes of a plan, or none. */
  apply(request: ApplyRequest, options?: IdempotencyOptions): Promise<Applied>;
  /** Assigns records to a manager. Changes nothing else. */
  adopt(adoption: Adoption, options?: ChangeOptions): Promise<readonly OwnedRecord[]>;
  /** Releases records from a manager. Changes nothing else. */
  release(release: Release, options?: ChangeOptions): Promise<readonly OwnedRecord[]>;
  /** Lists owned records that were edited since the last apply. */
  drift(manager: string, options?: RequestOptions): Promise<readonly EditedRecord[]>;
  /** Lists the records owned by managers. */
  records(query?: OwnedQuery, options?: RequestOptions): Listing<OwnedRecord>;
}

export function projectConfiguration(call: Call, project: number | '@current'): ProjectConfiguration {
  const params = { project_id: project };
  return {
    export: async (manager, options) => call('exportConfiguration', { params, query: { manager } }, options),
    plan: async (body, options) => call('planConfiguration', { params, body }, options),
    apply: async (body, options) => call('applyConfiguration', { params, body }, options),
    adopt: async (body, options) => (await call('adoptRecords', { params, body }, options)).results,
    release: async (body, options) => (await call('releaseRecords', { params, body }, options)).results,
    drift: async (manager, options) =>
      (await call('listDrift', { params, query: { manager } }, options)).results,
    records: (query, options) => listing(call, 'listOwnedRecords', { params, query }, options),
  };
}
