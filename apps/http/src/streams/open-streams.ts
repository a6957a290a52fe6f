import { END_REASONS } from '@plugin-config/contract';
import { DomainError, tenantOf, type AccessProbe, type Clock, type KeyGrant } from '@plugin-config/domain';
import { byteBudget } from '@plugin-config/flow';
import { turns } from '@plugin-config/flow/node';
import { accessOf, endSpanOf } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { endInvalidKeys } from './end-invalid-keys.ts';
import { OpenStream } from './open-stream.ts';
import { pumpParts, type StartParts } from './pump-parts.ts';

const STREAMS_OF_KEY_MAX = 100;
/** The memory of parts that readers have not taken yet, in total and for each tenant. */
const UNREAD = { bytes: 64 * 1024 * 1024, share: 16 * 1024 * 1024 };

/** The streams that send in one turn of the event loop. */
const TURN = 100;
const COMMENT_SECONDS = 15;
const TICK_MS = 1000;
const KEY_CHECK_TICKS = 5;
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
  readonly probe: Pick<AccessProbe, 'grants'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The most streams of the process. */
  readonly most: number;
  /** The pause between two comments of a stream, in seconds; 15 unless set. */
  readonly commentSeconds?: number;
}

/** All streams of the process. One timer serves them all. */
export interface OpenStreams {
  readonly open: number;
  readonly events: number;
  /** The number of ended streams by their reason. */
  readonly ends: ReadonlyMap<string, number>;
  readonly unreadBytes: number;
  /**
   * Prepares a stream, and answers the request with it.
   * @throws DomainError `throttled` or `busy` if too many streams are open, or another answer has the connection
   */
  serve(request: FastifyRequest, reply: FastifyReply, prepare: () => Promise<StartParts>): Promise<void>;
  /** Ends all streams, and refuses new ones from now on. */
  shutDown(): void;
}

export function openStreams({
  probe,
  clock,
  logger,
  most,
  commentSeconds = COMMENT_SECONDS,
}: Dependencies): OpenStreams {
  const streams = new Set<OpenStream>();
  const byKey = new Map<number, Set<OpenStream>>();
  const ends = new Map<string, number>(['closed', ...END_REASONS].map((reason) => [reason, 0]));
  const unread = byteBudget<number>(UNREAD);
  const turn = turns(TURN);
  let eventsOfEnded = 0;
  let opened = 0;
  let isShutDown = false;
  let timer: NodeJS.Timeout | null = null;

  const refuseIfFull = ({ id }: KeyGrant): void => {
    if (isShutDown || streams.size >= most) throw tooManyStreams();
    if ((byKey.get(id)?.size ?? 0) >= STREAMS_OF_KEY_MAX) throw tooManyOfKey();
  };
  const add = (stream: OpenStream): void => {
    streams.add(stream);
    const ofKey = byKey.get(stream.key.id);
    if (ofKey === undefined) byKey.set(stream.key.id, new Set([stream]));
    else ofKey.add(stream);
    timer ??= setInterval(ticker(), TICK_MS);
  };
  const remove = (stream: OpenStream): void => {
    stream.close();
    streams.delete(stream);
    const ofKey = byKey.get(stream.key.id);
    ofKey?.delete(stream);
    if (ofKey?.size === 0) byKey.delete(stream.key.id);
    eventsOfEnded += stream.events;
    ends.set(stream.endedBy, (ends.get(stream.endedBy) ?? 0) + 1);
    if (streams.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  const begin = (request: FastifyRequest, reply: FastifyReply, startParts: StartParts): void => {
    const { key, sessionEndsAt } = accessOf(request);
    const response = reply.hijack().raw;
    // The caller has hung up while the stream was prepared: no `close` would remove the stream.
    if (response.destroyed) return;
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...HEADERS }))
      if (value !== undefined) response.setHeader(name, value);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    response.flushHeaders();
    // The reads that follow are shared by streams, and go on for hours.
    endSpanOf(request, response.statusCode);
    const reserve = () => unread.reservation(tenantOf(key));
    const stream = new OpenStream({ response, key, sessionEndsAt, number: opened++, reserve });
    request.stream = stream;
    add(stream);
    response.once('close', () => remove(stream));
    void pumpParts({ logger, turn }, stream, startParts);
  };
  const ticker = (): (() => void) => {
    let ticks = 0;
    let isChecking = false;
    return () => {
      ticks++;
      for (const stream of streams)
        if (stream.number % commentSeconds === ticks % commentSeconds) stream.comment();
      if (ticks % KEY_CHECK_TICKS !== 0 || isChecking) return;
      isChecking = true;
      void endInvalidKeys({ probe, clock, logger }, byKey).finally(() => (isChecking = false));
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
    get unreadBytes() {
      return unread.used;
    },
    async serve(request, reply, prepare) {
      const { key } = accessOf(request);
      refuseIfFull(key);
      const startParts = await prepare();
      refuseIfFull(key);
      refuseIfQueued(reply);
      begin(request, reply, startParts);
    },
    shutDown() {
      isShutDown = true;
      for (const stream of streams) stream.end('shutdown', retryMs(stream));
    },
  };
}

/** An answer gets the connection when those to earlier requests have ended, which a stream never does. */
function refuseIfQueued({ raw: { destroyed, socket } }: FastifyReply): void {
  if (destroyed || socket !== null) return;
  const detail = 'The connection has another answer under way: ask for a stream on its own.';
  throw new DomainError('busy', detail, { retryAfterSeconds: 1 });
}

function retryMs({ number }: OpenStream): number {
  return RETRY.firstMs + ((number * RETRY.stepMs) % RETRY.spreadMs);
}

function tooManyOfKey(): DomainError {
  const detail = `This key has ${STREAMS_OF_KEY_MAX} streams open: close one of them first.`;
  return new DomainError('throttled', detail, { retryAfterSeconds: 15 });
}

function tooManyStreams(): DomainError {
  return new DomainError('busy', 'Too many streams are open. Try again later.', { retryAfterSeconds: 5 });
}
