import type { endpoints, EventOf, Query, Received, Sent, WireReset } from '@plugin-config/contract';
import type { StreamEvent } from '../wire.ts';

type Endpoints = typeof endpoints;
type EndpointsByRoute = {
  [Id in keyof Endpoints as `${Endpoints[Id]['method']} ${Endpoints[Id]['path']}`]: Endpoints[Id];
};

/** The method and the path of an endpoint of the contract. */
export type Route = keyof EndpointsByRoute;

export type IdempotentRoute = RouteWith<{ readonly idempotent: true }>;

export type StreamRoute = RouteWith<{ readonly events: object }>;

type RouteWith<Property> = {
  [R in Route]: EndpointsByRoute[R] extends Property ? R : never;
}[Route];

/** The parameters, query and body of a request. */
export type CallInput<R extends Route> = { readonly params: Params<R> } & QueryOf<EndpointsByRoute[R]> &
  BodyOf<EndpointsByRoute[R]>;

type QueryOf<E> = E extends { readonly query: infer Q } ? { readonly query?: Query<Q> | undefined } : unknown;

type BodyOf<E> = E extends { readonly body: { readonly schema: infer B } }
  ? { readonly body: Sent<B> }
  : unknown;

/** The parameters in the path. */
type Params<R extends string> = Readonly<Record<ParamNames<R>, string | number>>;

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The body of a successful response; undefined if it has none. */
export type CallOutput<R extends Route> = Success<EndpointsByRoute[R]['responses']>;

type Success<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 | 204 ? Body<Responses[Status]> : never;
}[keyof Responses];

type Body<Definition> = Definition extends { readonly body: infer B } ? Received<B> : undefined;

/** The events of a stream. */
export type CallEvent<R extends StreamRoute> = Identified<
  EventOf<EndpointsByRoute[R]> | { readonly event: 'reset'; readonly data: WireReset }
>;

type Identified<E> = E extends { readonly event: infer Name extends string; readonly data: infer Data }
  ? StreamEvent<Name, Data>
  : never;
