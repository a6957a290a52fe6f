import { logFailure } from '@plugin-config/server';
import type { Logger } from 'pino';
import type { OpenStream } from './open-stream.ts';
import type { StreamPart } from './stream-event.ts';

/** Starts the parts of a stream. They must end soon after the signal aborts. */
export type StartParts = (signal: AbortSignal) => AsyncIterable<StreamPart>;

/** Sends the parts of a stream at the pace of its reader, until either side ends it. */
export async function pumpParts(
  { logger }: { readonly logger: Logger },
  stream: OpenStream,
  startParts: StartParts,
): Promise<void> {
  try {
    for await (const part of startParts(stream.signal)) {
      await stream.send(part);
      if (stream.signal.aborted) return;
    }
    if (!stream.signal.aborted) throw new Error('The source of a stream ended before the stream did.');
  } catch (error) {
    if (stream.signal.aborted) return;
    logFailure(logger, { error, message: 'a stream failed', about: { key_id: stream.key.id } });
    stream.end('error');
  }
}
