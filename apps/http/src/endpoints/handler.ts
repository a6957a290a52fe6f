import type { Endpoint, SentTo } from '@plugin-config/contract';
import type { ConfigRecord, FamilyRef, Precondition } from '@plugin-config/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A request that was let in, with all that the definition of its endpoint promises, checked. */
export type Call<E extends Endpoint> = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
} & FoundFor<E['needs']> &
  SentTo<E> &
  (E extends { readonly condition: 'If-Match' } ? { readonly precondition: Precondition } : unknown);

type FoundFor<N extends Endpoint['needs']> = N extends 'record'
  ? { readonly family: FamilyRef; readonly record: ConfigRecord }
  : N extends 'family'
    ? { readonly family: FamilyRef }
    : unknown;

export type Handle<E extends Endpoint> = (call: Call<E>) => void | Promise<void>;

/** Answers from memory where it can, before anybody looks at what the query means. */
export interface MemoryHandler<E extends Endpoint> {
  /** Answers and returns true, or returns false. */
  fromMemory(request: FastifyRequest, reply: FastifyReply, family: FamilyRef): boolean;
  readonly handle: Handle<E>;
}

/** Waits for its turn before what was sent is checked. */
export interface TurnHandler<E extends Endpoint> {
  takeTurn(request: FastifyRequest, work: () => Promise<void>): Promise<void>;
  readonly handle: Handle<E>;
}

export type Handler<E extends Endpoint> = Handle<E> | MemoryHandler<E> | TurnHandler<E>;

export type EndpointGroup = Readonly<Record<string, Endpoint>>;

/** One handler for each endpoint of a group: a missing one does not compile. */
export type Handlers<Group extends EndpointGroup> = {
  readonly [Name in keyof Group]: Handler<Group[Name]>;
};
