import type { Endpoint, InputOf } from '@plugin-config/contract';
import type { ConfigRecord, FamilyRef, Precondition } from '@plugin-config/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestKey } from '../requests/idempotency-key.ts';

/** An admitted request with everything that its endpoint definition declares, checked. */
export type EndpointCall<E extends Endpoint> = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
} & LookedUp<E['needs']> &
  InputOf<E> &
  (E extends { readonly condition: 'If-Match' } ? { readonly precondition: Precondition } : unknown) &
  (E extends { readonly idempotent: true } ? { readonly key: RequestKey | null } : unknown);

type LookedUp<N extends Endpoint['needs']> = N extends 'record'
  ? { readonly family: FamilyRef; readonly record: ConfigRecord }
  : N extends 'family'
    ? { readonly family: FamilyRef }
    : unknown;

export type Handle<E extends Endpoint> = (call: EndpointCall<E>) => void | Promise<void>;

/** A handler that first tries to answer from the cache, before the query is parsed. */
export interface MemoryHandler<E extends Endpoint> {
  /** Answers and returns true, or a promise if the answer is compressed first; or returns false. */
  fromMemory(request: FastifyRequest, reply: FastifyReply, family: FamilyRef): boolean | Promise<void>;
  readonly handle: Handle<E>;
}

/** A handler whose work waits for a concurrency limit before the body is checked. */
export interface LimitedHandler<E extends Endpoint> {
  limit(request: FastifyRequest, work: () => Promise<void>): Promise<void>;
  readonly handle: Handle<E>;
}

export type Handler<E extends Endpoint> = Handle<E> | MemoryHandler<E> | LimitedHandler<E>;

export type EndpointGroup = Readonly<Record<string, Endpoint>>;

/** One handler for each endpoint of a group: a missing one does not compile. */
export type Handlers<Group extends EndpointGroup> = {
  readonly [Name in keyof Group]: Handler<Group[Name]>;
};
