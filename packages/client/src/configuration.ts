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
} from './wire.ts';

const PATH = '/api/projects/:project_id/configuration';

/** Reads and writes the records of a manager as one document. */
export interface ProjectConfiguration {
  /** Exports the live records of the manager. */
  export(manager: string, options?: ReadOptions<Document>): Promise<Document>;
  /** Returns the changes that applying the document would make. */
  plan(request: PlanRequest, options?: RequestOptions): Promise<Plan>;
  /** Makes all changes of a plan, or none. */
  apply(request: ApplyRequest, options?: IdempotencyOptions): Promise<Applied>;
  /** Assigns records to a manager. Changes nothing else. */
  adopt(adoption: Adoption, options?: ChangeOptions): Promise<readonly OwnedRecord[]>;
  /** Lists owned records that were edited since the last apply. */
  drift(manager: string, options?: RequestOptions): Promise<readonly EditedRecord[]>;
  /** Lists the records owned by managers. */
  records(query?: OwnedQuery, options?: RequestOptions): Listing<OwnedRecord>;
}

/** @internal */
export function projectConfiguration(call: Call, project: number | '@current'): ProjectConfiguration {
  const params = { project_id: project };
  return {
    export: async (manager, options) => call(`GET ${PATH}`, { params, query: { manager } }, options),
    plan: async (body, options) => call(`POST ${PATH}/plan`, { params, body }, options),
    apply: async (body, options) => call(`POST ${PATH}/apply`, { params, body }, options),
    adopt: async (body, options) => (await call(`POST ${PATH}/adopt`, { params, body }, options)).results,
    drift: async (manager, options) =>
      (await call(`GET ${PATH}/drift`, { params, query: { manager } }, options)).results,
    records: (query, options) => listing(call, `GET ${PATH}/records`, { params, query }, options),
  };
}
