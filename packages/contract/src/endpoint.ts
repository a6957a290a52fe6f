import type * as z from 'zod';
import type { SCOPES } from './api-key.ts';
import type { JsonObject } from './json.ts';

/** The scopes that an endpoint of the API can require. */
export type WireScope = Exclude<(typeof SCOPES)[number], 'plugin_log:write'>;

/**
 * What the server looks up before the handler runs. It answers 404 if that does not exist. `page`: nothing, not even a key, but
 * the request has to come from a page of the service.
 */
export type Need = 'page' | 'key' | 'project' | 'family' | 'record';

/** One endpoint of the API as a value. The server mounts it, the OpenAPI document describes it, clients call it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path with `:family` is mounted once for each family. */
  readonly path: string;
  /** Set if the endpoint exists only for families whose records have a log. */
  readonly needsLog?: true;
  /** The operation's name in the OpenAPI document; `{one}` and `{many}` stand for the words of the family. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Null if any valid key is enough. */
  readonly scope: WireScope | null;
  /** True if only keys that are bound to no project may use it. */
  readonly unbound?: true;
  readonly needs: Need;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject | z.ZodPipe<z.ZodObject>;
  readonly condition?: 'If-Match' | 'If-None-Match';
  /** True if a caller may repeat the request under an `Idempotency-Key`: it takes effect once. */
  readonly idempotent?: true;
  /** The code of the 409 if something else is in the way of the request. */
  readonly conflict?: 'job_not_queued' | 'managed_by_another' | 'idempotency_in_flight';
  /** True if the body names a plan: it is rejected (412) if the plan no longer holds. */
  readonly planned?: true;
  readonly body?: BodyDefinition;
  /** Set if the answer (200) is a stream of server-sent events: the data of each kind, beside `COMMON_EVENTS`. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
  readonly answers: Readonly<Record<number, AnswerDefinition>>;
}

export interface BodyDefinition {
  readonly schema: z.ZodType;
  /** An empty body counts as `{}`. True if `{}` is not valid here. */
  readonly required: boolean;
  /** Its most bytes, if they are not the usual ones. */
  readonly maxBytes?: number;
  /** True if it is rejected when an object of it has a key twice. Else the last one counts. */
  readonly keysOnce?: true;
  /** The keys are the titles of the examples. */
  readonly examples: Readonly<Record<string, JsonObject>>;
}

export interface AnswerDefinition {
  readonly description: string;
  /** Absent if the answer has no body. */
  readonly body?: z.ZodType;
  /** Headers beside those that every answer has. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
}

/** Checks an endpoint definition and keeps its literal types. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** The checked query and body of a request, as far as the endpoint takes them. */
export type InputOf<E extends Endpoint> = (E extends { readonly query: infer Q extends z.ZodType }
  ? { readonly query: z.output<Q> }
  : unknown) &
  (E extends { readonly body: { readonly schema: infer B extends z.ZodType } }
    ? { readonly body: z.output<B> }
    : unknown);

/** One of the endpoint's own events. */
export type EventOf<E extends Endpoint> = E extends { readonly events: infer Events }
  ? { [Name in keyof Events]: { readonly event: Name; readonly data: DataOf<Events[Name]> } }[keyof Events]
  : never;

type DataOf<S> = S extends z.ZodType ? z.output<S> : never;
