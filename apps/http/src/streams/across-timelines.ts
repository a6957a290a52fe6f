import { isTransient } from '@plugin-config/domain';
import { retryTransient, type Timer } from '@plugin-config/flow';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { StartParts } from './open-stream.ts';
import type { StreamPart } from './stream-event.ts';

/** Does not keep the process alive. */
export const timer: Timer = (work, afterMs) => {
  const timeout = setTimeout(work, afterMs).unref();
  return () => clearTimeout(timeout);
};

/**
 * Opens a stream at a cursor. Whenever its timeline ends, admits the request again and reopens it at the last cursor: the stream
 * resumes if only the server restarted, and gets a reset otherwise.
 */
export async function openAcrossTimelines(
  request: FastifyRequest,
  cursor: string | null,
  open: (cursor: string | null) => StartParts | Promise<StartParts>,
): Promise<StartParts> {
  const { admitAgain } = accessOf(request);
  const first = { timeline: accessOf(request).timeline, startParts: await open(cursor) };
  return async function* parts(signal): AsyncGenerator<StreamPart, void> {
    let last = cursor;
    const reopen = async (): Promise<typeof first> => {
      const { timeline } = await admitAgain();
      return { timeline, startParts: await open(last) };
    };
    let current: typeof first | undefined = first;
    while (current !== undefined) {
      const { ended } = current.timeline;
      for await (const part of current.startParts(AbortSignal.any([signal, ended]))) {
        if (ended.aborted) break;
        yield part;
        last = part.at(-1)?.id ?? last;
      }
      if (signal.aborted || !ended.aborted) return;
      current = await retryTransient({ timer, signal, isTransient }, reopen);
    }
  };
}
