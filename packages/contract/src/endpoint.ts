import type * as z from 'zod';
import type { Scope } from '@plugin-config/domain/vocabulary';
import type { Json, JsonObject } from './json.ts';

export type WireScope = Exclude<Scope, 'plugin_log:write'>;

/**
 * What the server looks up before the handler runs, responding with 404 if it does not exist. `page` looks up nothing,
 * not even a key, but requires that the request comes from a page of the service.
 */
export type Need = 'page' | 'key' | 'project' | 'family' | 'record';

/**
 * What a request costs other requests:
 *
 * - `request`: little, because it shares statements with other requests.
 * - `page`: a short statement that reads many rows.
 * - `slow`: a database connection for up to several seconds, for example to search or to wait for locks.
 * - `large`: a lot of CPU time, for example for a large body or a document.
 * - `search`: `slow` if the query may require a search, otherwise `page`.
 * - `configuration`: `large`, or `request` if the old and the new configuration are small.
 * - `fields`: `configuration` if the body sets one, otherwise `request`.
 * - `administration`: `slow`, and an account has a limit of such changes per minute, except that of the operator.
 */
export type EndpointWork =
  | 'request'
  | 'page'
  | 'slow'
  | 'large'
  | 'search'
  | 'configuration'
  | 'fields'
  | 'administration';

/** An endpoint of the API as a value: mounted by the server, described by the OpenAPI document, called by clients. */
export type Endpoint = EndpointFields & Condition;

/** What `If-Match` is about: the record or family that the endpoint needs, or an item of the project or of all projects. */
type Condition =
  | { readonly condition?: 'If-None-Match'; readonly item?: undefined }
  | { readonly condition: 'If-Match'; readonly needs: 'family' | 'record'; readonly item?: undefined }
  | { readonly condition: 'If-Match'; readonly needs: 'project' | 'key'; readonly item: ItemKind };

/** A kind of item. Its id is in the path, as `:alert_id`. */
export type ItemKind = 'alert' | 'webhook';

interface EndpointFields {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path with `:family` is mounted once for each family. */
  readonly path: string;
  /** True if the endpoint exists only for families whose records have a log. */
  readonly needsLog?: true;
  /** The operation's name in the OpenAPI document. `{one}` and `{many}` are replaced with the words of the family. */
  readonly operationId: string;
  /**
   * The name of its method in the client, unless that is the name of the endpoint. The object that has the method follows from
   * the path: the client, a project or a family. With `alerts.list`, it is `alerts` of that object.
   */
  readonly client?: string;
  readonly summary: string;
  readonly description?: string;
  /** Null if any valid key is enough. */
  readonly scope: WireScope | null;
  /** Another scope that is enough: that of a product's customer, who reads and changes what is theirs. */
  readonly orScope?: 'config:write';
  /** True if only keys that are not bound to projects may use it. */
  readonly unbound?: true;
  /** True if only a key itself may use it, neither a session nor a token. */
  readonly keyOnly?: true;
  /** By default what the path names: a project, a family or a record. */
  readonly needs: Need;
  /** By default `page`, if it only reads. */
  readonly work: EndpointWork;
  readonly query?: z.ZodObject | z.ZodPipe<z.ZodObject>;
  /** True if callers can safely repeat the request with an `Idempotency-Key`. */
  readonly idempotent?: true;
  /** The code of the 409 response if the request conflicts with something else. */
  readonly conflict?:
    | 'already_exists'
    | 'job_not_queued'
    | 'lease_lost'
    | 'runtime_behind'
    | 'managed_by_another'
    | 'idempotency_in_flight';
  /** What the request was based on: the response is 412 if it is out of date. */
  readonly basis?: 'plan' | 'configuration';
  readonly body?: BodyDefinition;
  /**
   * The data of each server-sent event, in addition to `COMMON_EVENTS`. Set only if the endpoint responds with events.
   */
  readonly events?: Readonly<Record<string, z.ZodType>>;
  /** The successful responses by status. With the condition `If-None-Match`, there is also 304, with the headers of 200. */
  readonly responses: Readonly<Record<number, ResponseDefinition>>;
}

export interface BodyDefinition {
  readonly schema: z.ZodType;
  /** True if an empty body is allowed: it is read as `{}`. */
  readonly optional?: true;
  /** The maximum size, if it differs from the default. */
  readonly maxBytes?: number;
  /** True if duplicate keys in an object are rejected. By default, the last one wins. */
  readonly uniqueKeys?: true;
  /** The keys are the titles of the examples. */
  readonly examples: Readonly<Record<string, JsonObject>>;
}

export interface ResponseDefinition {
  readonly description: string;
  /** Absent if the response has no body. */
  readonly body?: z.ZodType;
  /** Headers in addition to `commonHeaders`. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
}

/** An endpoint whose `operationId` may follow from its name, what it needs from its path, and its work from the method GET. */
type Definition = Omit<EndpointFields, Derived> &
  Partial<Pick<EndpointFields, Derived>> &
  ({ readonly method: 'GET' } | Pick<EndpointFields, 'work'>) & {
    readonly condition?: Condition['condition'];
    readonly item?: ItemKind;
  };
type Derived = 'operationId' | 'needs' | 'work';

/** Keeps the literal types of endpoints. */
export function endpointGroup<const Group extends Readonly<Record<string, Definition>>>(
  group: Group,
): {
  readonly [Name in keyof Group]: Group[Name] &
    Pick<Endpoint, 'operationId' | 'work'> & { readonly needs: NeedOf<Group[Name]> };
} {
  const named = Object.entries(group).map(([name, endpoint]) => [
    name,
    {
      operationId: operationIdOf(name, endpoint.path),
      needs: needIn(endpoint.path),
      work: 'page',
      ...endpoint,
    },
  ]);
  return Object.fromEntries(named) as ReturnType<typeof endpointGroup<Group>>;
}

const PROJECT = '/api/projects/:project_id';
const FAMILY = `${PROJECT}/:family` as const;
const RECORD_IDS = ['id', 'plugin_config_id'] as const;

type NeedOf<E> = E extends { readonly needs: infer N }
  ? N
  : E extends { readonly path: infer Path }
    ? Path extends `${typeof FAMILY}/:${(typeof RECORD_IDS)[number]}${'' | `/${string}`}`
      ? 'record'
      : Path extends `${typeof FAMILY}${string}`
        ? 'family'
        : Path extends `${typeof PROJECT}${string}`
          ? 'project'
          : 'key'
    : never;

/** Returns the last of project, family and record that the path names; the key if it names none. */
function needIn(path: string): Need {
  if (!path.startsWith(PROJECT)) return 'key';
  if (!path.startsWith(FAMILY)) return 'project';
  return RECORD_IDS.some((id) => `${path}/`.startsWith(`${FAMILY}/:${id}/`)) ? 'record' : 'family';
}

/** Returns `create_{one}` for `createRecord`, `list_{one}_jobs` for `listJobs` of a family, and `create_alert` for `createAlert`. */
function operationIdOf(name: string, path: string): string {
  const id = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (!path.includes('/:family')) return id;
  const ofRecords = id.replace(/_records?$/, (word) => (word === '_record' ? '_{one}' : '_{many}'));
  return ofRecords === id ? id.replace('_', '_{one}_') : ofRecords;
}

/** The validated query and body of a request, if the endpoint has them. */
export type InputOf<E extends Endpoint> = (E extends { readonly query: infer Q extends z.ZodType }
  ? { readonly query: z.output<Q> }
  : unknown) &
  (E extends { readonly body: { readonly schema: infer B extends z.ZodType } }
    ? { readonly body: z.output<B> }
    : unknown);

/** An event of the endpoint that is not one of `COMMON_EVENTS`. */
export type EventOf<E extends Endpoint> = E extends { readonly events: infer Events }
  ? { [Name in keyof Events]: { readonly event: Name; readonly data: DataOf<Events[Name]> } }[keyof Events]
  : never;

type DataOf<S> = S extends z.ZodType ? z.output<S> : never;

/** A response or the data of an event, as clients receive it. */
export type Received<S> = S extends z.ZodType ? Frozen<z.output<S>> : undefined;

/** A request body, as clients send it. */
export type Sent<S> = S extends z.ZodType ? Frozen<z.input<S>> : never;

/** Query parameters, as clients send them. */
export type Query<S> =
  S extends z.ZodPipe<infer Fields>
    ? Query<Fields>
    : S extends z.ZodObject<infer Shape>
      ? Flat<Optional<Shape, Exclude<keyof Shape, RequiredIn<Shape>>> & Required<Shape, RequiredIn<Shape>>>
      : never;

type Optional<Shape, K extends keyof Shape> = { readonly [N in K]?: ParameterOf<Shape[N]> | undefined };
type Required<Shape, K extends keyof Shape> = { readonly [N in K]: ParameterOf<Shape[N]> };
type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : never;

type RequiredIn<Shape> = {
  [K in keyof Shape]: Shape[K] extends z.ZodPreprocess<infer S>
    ? undefined extends z.input<S>
      ? never
      : K
    : never;
}[keyof Shape];

type ParameterOf<S> = Parameter<Exclude<z.output<S>, null>>;

type Parameter<T> = T extends Date ? Date | string : Frozen<T>;

/** Makes a type read-only, except `Json`, which is recursive and read-only already. */
type Frozen<T> = [Json] extends [T] ? T : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
