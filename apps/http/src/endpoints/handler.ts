import type { Endpoint, endpoints, EventOf, InputOf } from '@plugin-config/contract';
import type { Author, ConfigRecord, FamilyRef, Precondition } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CursorEvent, ResetEvent, StreamPart } from '../streams/stream-event.ts';

/** An admitted request with the validated input that its endpoint definition declares. */
export type EndpointCall<E extends Endpoint> = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
} & ReadByGuard<E['needs']> &
  OfFamily<E['path']> &
  InputOf<E> &
  (E extends { readonly scope: `${string}:write` }
    ? { readonly author: Author; readonly deadline: Deadline }
    : unknown) &
  (E extends { readonly condition: 'If-Match' } ? { readonly precondition: Precondition } : unknown);

/** The family in the path. Without a project, the id of the project is 0. */
type OfFamily<Path> = Path extends `${string}/:family${string}` ? { readonly family: FamilyRef } : unknown;

type ReadByGuard<N extends Endpoint['needs']> = N extends 'record'
  ? {
      readonly record: ConfigRecord;
      /** Reads the record again, by another access query. */
      readonly current: () => Promise<ConfigRecord>;
    }
  : unknown;

export type Handle<E extends Endpoint> = (call: EndpointCall<E>) => void | Promise<void>;

/** A handler that can respond from the response cache. */
export interface CachedHandler<E extends Endpoint> {
  /**
   * Responds from the response cache, before the gate and without parsing the query. Returns false if nothing is cached, otherwise
   * true, or a promise if the response has to be compressed first.
   */
  respondFromCache(request: FastifyRequest, reply: FastifyReply, family: FamilyRef): boolean | Promise<void>;
  readonly handle: Handle<E>;
}

/** A handler that responds with a stream of the endpoint's events. */
export interface StreamHandler<E extends Endpoint> {
  /** Begins a stream, or rejects the request. `lastEventId` is the unvalidated cursor to resume at; null for a new stream. */
  open(call: EndpointCall<E>, lastEventId: string | null): PartsOfStream<E> | Promise<PartsOfStream<E>>;
}

/**
 * Yields the parts of a stream as the reader is ready for them, until the signal aborts. It must survive database outages: an error
 * ends the stream.
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
  : Handle<E> | CachedHandler<E>;

type EndpointGroup = Readonly<Record<string, Endpoint>>;

/** One handler for each endpoint of a group: a missing one does not compile. */
export type Handlers<Group extends EndpointGroup> = {
  readonly [Name in keyof Group]: Handler<Group[Name]>;
};

export type HandlerOf<Name extends keyof typeof endpoints> = Handler<(typeof endpoints)[Name]>;

export type HandlersOf<Names extends keyof typeof endpoints> = Handlers<Pick<typeof endpoints, Names>>;
