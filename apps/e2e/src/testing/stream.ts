import { request, type IncomingMessage } from 'node:http';
import { eventBlocks, eventOf, type ReceivedEvent } from '@plugin-config/conformance';
import type { Tenant } from './tenant.ts';

/** A stream whose events a test collects as they arrive. */
export interface OpenedStream {
  readonly status: number;
  readonly events: ReceivedEvent[];
  readonly comments: () => number;
  /** The last id that the service sent. */
  readonly lastId: () => string | null;
  readonly isEnded: () => boolean;
  readonly answer: IncomingMessage;
  close(): void;
}

interface Options {
  readonly api?: string;
  readonly lastEventId?: string | null;
  /** False to read nothing. */
  readonly read?: boolean;
}

/** Opens a stream on a separate connection; `path` is relative to the project. */
export function openStream(
  { api: usualApi, projectId, token }: Pick<Tenant, 'api' | 'projectId' | 'token'>,
  path: string,
  { api = usualApi, lastEventId = null, read = true }: Options = {},
): Promise<OpenedStream> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastEventId !== null && { 'last-event-id': lastEventId }),
  };
  const sent = request(`${api}/api/projects/${projectId}${path}`, { agent: false, headers });
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (answer) => resolve(opened(answer, read)));
    sent.end();
  });
}

function opened(answer: IncomingMessage, read: boolean): OpenedStream {
  const events: ReceivedEvent[] = [];
  let [comments, lastId, isEnded]: [number, string | null, boolean] = [0, null, false];
  answer.on('error', () => undefined);
  answer.on('close', () => (isEnded = true));
  if (read) {
    const blocksIn = eventBlocks();
    answer.setEncoding('utf8').on('data', (text: string) => {
      for (const event of blocksIn(text).map(eventOf)) {
        if (event === null) comments++;
        else if (event.event !== null) events.push(event);
        lastId = event?.id ?? lastId;
      }
    });
  } else answer.pause();
  return {
    status: answer.statusCode ?? 0,
    events,
    comments: () => comments,
    lastId: () => lastId,
    isEnded: () => isEnded,
    answer,
    close: () => void answer.destroy(),
  };
}
