import type { Endpoint, EventOf, InputOf } from '@plugin-config/contract';
import type { Author, ConfigRecord, FamilyRef, Precondition } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestKey } from '../requests/idempotency-key.ts';
import type { CursorEvent, ResetEvent, StreamPart } from '../streams/stream-event.ts';

/** An admitted request with everything that its endpoint definition declares, checked. */
export type EndpointCall<E extends Endpoint> = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
} & LookedUp<E['needs']> &
  InputOf<E> &
  (E extends { readonly scope: `${string}:write` }
    ? { readonly author: Author; readonly deadline: Deadline }
    : unknown) &
  (E extends { readonly condition: 'If-Match' } ? { readonly precondition: Precondition } : unknown) &
  (E extends { readonly idempotent: true } ? { readonly key: RequestKey | null } : unknown);

type LookedUp<N extends Endpoint['needs']> = N extends 'record'
  ? {
      readonly family: FamilyRef;
      readonly record: ConfigRecord;
      /** Confirms the access and reads the record; null if it was not cached. */
      readonly reread: (() => Promise<ConfigRecord>) | null;
    }
  : N extends 'family'
    ? { readonly family: FamilyRef }
    : unknown;

export type Handle<E extends Endpoint> = (call: EndpointCall<E>) => void | Promise<void>;

/** A handler that first tries to respond from the cache, before it passes the gate and the query is parsed. */
export interface MemoryHandler<E extends Endpoint> {
  /** Answers and returns true, or a promise if the response is compressed first; or returns false. */
  fromMemory(request: FastifyRequest, reply: FastifyReply, family: FamilyRef): boolean | Promise<void>;
  readonly handle: Handle<E>;
}

/**
 * A handler whose request may be admitted on what this process has cached. It responds to a change that is stored; before any other response it
 * confirms the access.
 */
export interface CachedHandler<E extends Endpoint> {
  readonly allowsCached: true;
  readonly handle: Handle<E>;
}

/** A handler whose response is a stream of the endpoint's events. */
export interface StreamHandler<E extends Endpoint> {
  /**
   * Begins a stream, or rejects the request. `lastEventId` is the cursor to go on after, which is not checked; null for a
   * new stream.
   */
  open(call: EndpointCall<E>, lastEventId: string | null): PartsOfStream<E> | Promise<PartsOfStream<E>>;
}

/**
 * Yields the parts of a stream, each when the reader is ready for it. Ends when the signal is aborted. It survives an
 * outage of the database: what it throws ends the stream.
 */
export type PartsOfStream<E extends Endpoint> = (
  signal: AbortSignal,
) => AsyncIterable<StreamPart<EventOfStream<E>>>;

export type EventOfStream<E extends Endpoint> =
  | (EventOf<E> & { readonly id: string })
  | ResetEvent
  | CursorEvent;

export type Handler<E extends Endpoint> = E extends { readonly events: object }
  ? StreamHandler<E>
  : Handle<E> | MemoryHandler<E> | CachedHandler<E>;

export type EndpointGroup = Readonly<Record<string, Endpoint>>;

/** One handler for each endpoint of a group: a missing one does not compile. */
export type Handlers<Group extends EndpointGroup> = {
  readonly [Name in keyof Group]: Handler<Group[Name]>;
};
