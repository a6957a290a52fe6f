import { END_REASONS } from '@plugin-config/contract';
import { DomainError } from '@plugin-config/domain';
import type { Budget, Reservation } from '@plugin-config/flow';
import { turns } from '@plugin-config/flow/node';
import { accessOf, accountOf, endSpanOf } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { OpenStream } from './open-stream.ts';
import { pumpParts, type StartParts } from './pump-parts.ts';
import type { WatchedKeys } from './watched-keys.ts';

/** The streams that send in one turn of the event loop. */
const TURN = 100;
const COMMENT_SECONDS = 15;
const TICK_MS = 1000;
/** After a shutdown, callers come back over this time, not all at once. */
const RETRY = { firstMs: 500, spreadMs: 2000, stepMs: 37 };

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

declare module 'fastify' {
  interface FastifyInstance {
    readonly streams: OpenStreams;
  }
}

interface Dependencies {
  readonly keys: WatchedKeys;
  readonly logger: Logger;
  /** The streams that accounts may open. */
  readonly budget: Budget;
  /** Bounds the memory of parts that readers have not taken yet. */
  readonly memory: Budget;
  /** The pause between two comments of a stream, in seconds; 15 unless set. */
  readonly commentSeconds?: number;
}

/** All streams of the process. One timer writes the comments of all. */
export interface OpenStreams {
  readonly open: number;
  readonly events: number;
  /** The number of ended streams by their reason. */
  readonly ends: ReadonlyMap<string, number>;
  /**
   * Prepares a stream, and responds to the request with it.
   * @throws DomainError `throttled` or `busy` if too many streams are open, or another response has the connection
   */
  serve(request: FastifyRequest, reply: FastifyReply, prepare: () => Promise<StartParts>): Promise<void>;
  /** Ends all streams, and rejects new ones from now on. */
  shutDown(): void;
}

export function openStreams({
  keys,
  logger,
  budget,
  memory,
  commentSeconds = COMMENT_SECONDS,
}: Dependencies): OpenStreams {
  const streams = new Set<OpenStream>();
  const ends = new Map<string, number>(['closed', ...END_REASONS].map((reason) => [reason, 0]));
  const turn = turns(TURN);
  let eventsOfEnded = 0;
  let opened = 0;
  let isShutDown = false;
  let timer: NodeJS.Timeout | null = null;

  const takePlace = (account: number): Reservation => {
    const place = budget.reservation(account);
    const result = isShutDown ? 'budget full' : place.take(1);
    if (result === 'granted') return place;
    throw result === 'share exceeded' ? tooManyOfAccount() : tooManyStreams();
  };
  const add = (stream: OpenStream): void => {
    streams.add(stream);
    keys.add(stream);
    timer ??= setInterval(ticker(), TICK_MS);
  };
  const remove = (stream: OpenStream): void => {
    stream.close();
    streams.delete(stream);
    keys.remove(stream);
    eventsOfEnded += stream.events;
    ends.set(stream.endedBy, (ends.get(stream.endedBy) ?? 0) + 1);
    if (streams.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  /** Returns false if the response ends at once. */
  const begin = (
    request: FastifyRequest,
    reply: FastifyReply,
    startParts: StartParts,
    place: Reservation,
  ): boolean => {
    const { key, sessionEndsAt } = accessOf(request);
    const response = reply.hijack().raw;
    // The caller has hung up while the stream was prepared: no `close` would remove the stream.
    if (response.destroyed) return false;
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS }))
      if (value !== undefined) response.setHeader(name, value);
    if (request.method === 'HEAD') {
      response.end();
      return false;
    }
    response.flushHeaders();
    // The reads that follow are shared by streams, and go on for hours.
    endSpanOf(request, response.statusCode);
    const account = accountOf(request);
    const reserve = () => memory.reservation(account);
    const stream = new OpenStream({ response, key, sessionEndsAt, number: opened++, reserve });
    request.stream = stream;
    add(stream);
    response.once('close', () => {
      place.release();
      remove(stream);
    });
    void pumpParts({ logger, turn }, stream, startParts);
    return true;
  };
  const ticker = (): (() => void) => {
    let ticks = 0;
    return () => {
      ticks++;
      for (const stream of streams)
        if (stream.number % commentSeconds === ticks % commentSeconds) stream.comment();
    };
  };

  return {
    get open() {
      return streams.size;
    },
    get events() {
      return streams.values().reduce((sum, stream) => sum + stream.events, eventsOfEnded);
    },
    ends,
    async serve(request, reply, prepare) {
      refuseIfQueued(reply);
      const place = takePlace(accountOf(request));
      let isOpen = false;
      try {
        const startParts = await prepare();
        if (isShutDown) throw tooManyStreams();
        isOpen = begin(request, reply, startParts, place);
      } finally {
        if (!isOpen) place.release();
      }
    },
    shutDown() {
      isShutDown = true;
      for (const stream of streams) stream.end('shutdown', retryMs(stream));
    },
  };
}

/** A response gets the connection when those to earlier requests have ended, which a stream never does. */
function refuseIfQueued({ raw: { destroyed, socket } }: FastifyReply): void {
  if (destroyed || socket !== null) return;
  const detail = 'The connection has another response under way: ask for a stream on its own.';
  throw new DomainError('busy', detail, { retryAfterSeconds: 1 });
}

function retryMs({ number }: OpenStream): number {
  return RETRY.firstMs + ((number * RETRY.stepMs) % RETRY.spreadMs);
}

function tooManyOfAccount(): DomainError {
  const detail = 'This account has as many streams open as it may: close one of them first.';
  return new DomainError('throttled', detail, { retryAfterSeconds: 15 });
}

function tooManyStreams(): DomainError {
  return new DomainError('busy', 'Too many streams are open. Try again later.', { retryAfterSeconds: 5 });
}
