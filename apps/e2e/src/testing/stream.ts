import { request, type IncomingMessage } from 'node:http';
import type { Tenant } from './tenant.ts';

export interface StreamEvent {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: unknown;
}

/** A stream that a test reads as it comes. */
export interface OpenedStream {
  readonly status: number;
  readonly events: StreamEvent[];
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
  /** False leaves everything unread. */
  readonly read?: boolean;
}

/** Opens a stream on a connection of its own; `path` is relative to the project. */
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
  const events: StreamEvent[] = [];
  let [text, comments, lastId, isEnded]: [string, number, string | null, boolean] = ['', 0, null, false];
  answer.on('error', () => undefined);
  answer.on('close', () => (isEnded = true));
  if (read) {
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block.startsWith(':')) comments++;
        else {
          const event = eventOf(block);
          lastId = event.id ?? lastId;
          if (event.event !== null) events.push(event);
        }
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

function eventOf(block: string): StreamEvent {
  const field = (name: string): string | null =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null;
  const data = field('data');
  return { id: field('id'), event: field('event'), data: data === null ? null : JSON.parse(data) };
}
