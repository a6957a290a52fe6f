import type {
  Endpoint,
  endpoints,
  EventOf,
  PathParam,
  Query,
  Received,
  Sent,
  WireReset,
} from '@plugin-config/contract';
import type { StreamOptions } from '../streams/event-stream.ts';
import type { Page, StreamEvent } from '../wire.ts';
import type { Api, ReadOptions, RequestOptions, WriteOptionsOf } from './call.ts';
import { listing, type Listing } from './listing.ts';
import { operations, type Operation } from './operations.ts';
import type { RequestParts } from './request.ts';

// The methods of the client, which follow from the endpoints. For the published package, write-types.ts writes their types out.

/** The methods of the service, of a project, and of the records of a family: all families, or those with logs. */
export type ServiceMethods = MethodsOf<'service'>;
export type ProjectMethods = MethodsOf<'project'>;
export type FamilyMethods = MethodsOf<'family'>;
export type LogMethods = MethodsOf<'log'>;

type MethodsOf<Scope> = MethodsIn<Scope, ''> & {
  readonly [Group in GroupsIn<Scope>]: MethodsIn<Scope, `${Group}.`>;
};

type Endpoints = typeof endpoints;
type Project = '/api/projects/:project_id';
type Family = `${Project}/:family`;

/** The methods whose names have this prefix and no further dot. */
type MethodsIn<Scope, Prefix extends string> = {
  readonly [
    Id in keyof Endpoints as ScopeOf<Endpoints[Id]> extends Scope ? NameAfter<Prefix, NameOf<Id>> : never
  ]: Method<Endpoints[Id]>;
};

type NameAfter<Prefix extends string, Name> = Name extends `${Prefix}${infer Rest}`
  ? Rest extends `${string}.${string}`
    ? never
    : Rest
  : never;

type GroupsIn<Scope> = {
  [Id in keyof Endpoints]: ScopeOf<Endpoints[Id]> extends Scope
    ? NameOf<Id> extends `${infer Group}.${string}`
      ? Group
      : never
    : never;
}[keyof Endpoints];

type NameOf<Id extends keyof Endpoints> = Endpoints[Id] extends {
  readonly client: infer Name extends string;
}
  ? Name
  : Id;

type ScopeOf<E extends Endpoint> = E['path'] extends `${Family}${string}`
  ? E extends { readonly needsLog: true }
    ? 'log'
    : 'family'
  : E['path'] extends `${Project}${string}`
    ? 'project'
    : 'service';

type Method<E extends Endpoint> = (
  ...args: [...Ids<E['path']>, ...Body<E>, ...Parameters<E>, options?: Options<E>]
) => Result<E>;

/** The ids in the path, except the ids of the object that has the method. */
type Ids<Path extends string> = Path extends `${Family}${infer Rest}`
  ? IdsIn<Rest>
  : Path extends `${Project}${infer Rest}`
    ? IdsIn<Rest>
    : IdsIn<Path>;

type IdsIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? [id: PathParam<Name>, ...IdsIn<Rest>]
  : Path extends `${string}:${infer Name}`
    ? [id: PathParam<Name>]
    : [];

type Body<E> = E extends { readonly body: { readonly schema: infer S } } ? [body: Sent<S>] : [];

/** A stream sets its cursor itself. */
type Parameters<E> = E extends { readonly query: infer S }
  ? QueryArgument<E extends { readonly events: object } ? Omit<Query<S>, 'last_event_id'> : Query<S>>
  : [];

type QueryArgument<Q> = [keyof Q] extends [never] ? [] : object extends Q ? [query?: Q] : [query: Q];

type Options<E extends Endpoint> = E extends { readonly events: object }
  ? StreamOptions
  : E extends { readonly method: 'GET' }
    ? E extends { readonly condition: 'If-None-Match' }
      ? ReadOptionsOf<Success<E['responses']>>
      : RequestOptions
    : E extends { readonly needs: 'page' }
      ? RequestOptions
      : WriteOptionsOf<E>;

/** A listing takes `ifNoneMatch` for each of its pages. */
type ReadOptionsOf<T> = T extends Page<unknown> ? RequestOptions : ReadOptions<T>;

type Result<E extends Endpoint> = E extends { readonly events: object }
  ? AsyncIterable<Identified<EventOf<E> | { readonly event: 'reset'; readonly data: WireReset }>>
  : ResultOf<Success<E['responses']>>;

type ResultOf<T> =
  T extends Page<infer Item>
    ? Exclude<keyof T, keyof Page<Item>> extends never
      ? Listing<Item>
      : Listing<Item, T>
    : T extends { readonly results: infer Results }
      ? Promise<Exclude<keyof T, 'results'> extends never ? Results : T>
      : Promise<T>;

type Success<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204
    ? Responses[Status] extends { readonly body: infer S }
      ? Received<S>
      : void
    : never;
}[keyof Responses];

type Identified<E> = E extends { readonly event: infer Name extends string; readonly data: infer Data }
  ? StreamEvent<Name, Data>
  : never;

const PROJECT: Project = '/api/projects/:project_id';
const FAMILY: Family = `${PROJECT}/:family`;

/** @internal */
export function serviceMethods(api: Api): ServiceMethods {
  return methodsOf(api, '', {}) as ServiceMethods;
}

/** @internal */
export function projectMethods(api: Api, params: { readonly project_id: string | number }): ProjectMethods {
  return methodsOf(api, PROJECT, params) as ProjectMethods;
}

/** Returns the methods of any family, although only some families have logs. @internal */
export function familyMethods(
  api: Api,
  params: { readonly project_id: string | number; readonly family: string },
): FamilyMethods & LogMethods {
  return methodsOf(api, FAMILY, params) as FamilyMethods & LogMethods;
}

type Methods = Record<string, (...args: readonly unknown[]) => unknown>;

/** Returns the methods of the operations that have this prefix in their path, and no longer one. */
function methodsOf(api: Api, prefix: string, params: RequestParts['params']): unknown {
  const methods: Methods = {};
  const groups: Record<string, Methods> = {};
  for (const operation of operations) {
    if (prefixOf(operation) !== prefix) continue;
    const [name = '', group] = operation.name.split('.').toReversed();
    const owner = group === undefined ? methods : (groups[group] ??= {});
    owner[name] = methodOf(api, operation, prefix, params);
  }
  return { ...methods, ...groups };
}

function prefixOf({ route }: Operation): string {
  return [FAMILY, PROJECT].find((prefix) => route.includes(` ${prefix}`)) ?? '';
}

function methodOf({ call, open }: Api, operation: Operation, prefix: string, params: RequestParts['params']) {
  const { route, takes, returns } = operation;
  return (...args: readonly unknown[]): unknown => {
    const ids = [...route.replace(prefix, '').matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const names = [...ids, ...takes];
    const valueOf = (name: string) => args[names.indexOf(name)];
    const input = {
      params: { ...params, ...Object.fromEntries(ids.map((name) => [name, valueOf(name) as string])) },
      ...Object.fromEntries(takes.map((name) => [name, valueOf(name)])),
    };
    const options = args[names.length] as object | undefined;
    if (returns === 'events') return open(operation, input, options);
    if (returns === 'page') return listing(call, operation, input, options);
    const received = call(operation, input, options);
    return returns === 'results'
      ? received.then((value) => (value as { results: unknown }).results)
      : received;
  };
}
