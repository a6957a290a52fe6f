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

/** The records of a manager as one document. */
export interface ProjectConfiguration {
  /** The live records of the manager. */
  export(manager: string, options?: ReadOptions<Document>): Promise<Document>;
  /** Tells what applying the document would change. Changes nothing. */
  plan(request: PlanRequest, options?: RequestOptions): Promise<Plan>;
  /** Applies a plan, wholly or not at all. */
  apply(request: ApplyRequest, options?: IdempotencyOptions): Promise<Applied>;
  /** Makes a manager own records, and changes nothing else. */
  adopt(adoption: Adoption, options?: ChangeOptions): Promise<readonly OwnedRecord[]>;
  /** Makes a manager own records no more, and changes nothing else. */
  release(release: Release, options?: ChangeOptions): Promise<readonly OwnedRecord[]>;
  /** The owned records that were edited since the last apply. */
  drift(manager: string, options?: RequestOptions): Promise<readonly EditedRecord[]>;
  /** Lists the records that managers own. */
  records(query?: OwnedQuery, options?: RequestOptions): Listing<OwnedRecord>;
}

export function projectConfiguration(call: Call, project: number | '@current'): ProjectConfiguration {
  const params = { project_id: project };
  return {
    export: async (manager, own) => call('exportConfiguration', { params, query: { manager } }, own),
    plan: async (body, own) => call('planConfiguration', { params, body }, own),
    apply: async (body, own) => call('applyConfiguration', { params, body }, own),
    adopt: async (body, own) => (await call('adoptRecords', { params, body }, own)).results,
    release: async (body, own) => (await call('releaseRecords', { params, body }, own)).results,
    drift: async (manager, own) => (await call('listDrift', { params, query: { manager } }, own)).results,
    records: (query, own) => listing(call, 'listOwnedRecords', { params, query }, own),
  };
}
