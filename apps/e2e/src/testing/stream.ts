import { request, type IncomingMessage } from 'node:http';
import { eventBlocks, eventOf, type ReceivedEvent } from '@plugin-config/conformance';
import type { Tenant } from './tenant.ts';

/** A stream that collects its events. */
export interface OpenedStream {
  readonly status: number;
  readonly events: ReceivedEvent[];
  readonly comments: () => number;
  /** The last id that the service sent. */
  readonly lastId: () => string | null;
  readonly isEnded: () => boolean;
  readonly response: IncomingMessage;
  close(): void;
}

interface Options {
  readonly api?: string;
  readonly lastEventId?: string | null;
  /** False to leave the response unread. */
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
    sent.on('response', (response) => resolve(opened(response, read)));
    sent.end();
  });
}

function opened(response: IncomingMessage, read: boolean): OpenedStream {
  const events: ReceivedEvent[] = [];
  let [comments, lastId, isEnded]: [number, string | null, boolean] = [0, null, false];
  response.on('error', () => undefined);
  response.on('close', () => (isEnded = true));
  if (read) {
    const blocksIn = eventBlocks();
    response.setEncoding('utf8').on('data', (text: string) => {
      for (const event of blocksIn(text).map(eventOf)) {
        if (event === null) comments++;
        else if (event.event !== null) events.push(event);
        lastId = event?.id ?? lastId;
      }
    });
  } else response.pause();
  return {
    status: response.statusCode ?? 0,
    events,
    comments: () => comments,
    lastId: () => lastId,
    isEnded: () => isEnded,
    response,
    close: () => void response.destroy(),
  };
}
