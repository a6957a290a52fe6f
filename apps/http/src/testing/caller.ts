import type { WireConfigRecord } from '@plugin-config/contract';

export interface ReceivedResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; its type is not validated. */
  readonly body: T;
}

export interface Request {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the default key; null sends none. */
  readonly token?: string | null;
}

export type Call = <T = WireConfigRecord>(
  method: string,
  path: string,
  request?: Request,
) => Promise<ReceivedResponse<T>>;

interface Options {
  readonly base: string;
  readonly token: string | null;
}

/** Creates a function that sends requests. Sends objects as JSON, and only reads the head of a stream. */
export function caller({ base, token: defaultToken }: Options): Call {
  return async <T>(
    method: string,
    path: string,
    { body, headers = {}, token = defaultToken }: Request = {},
  ) => {
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = isStream(response) ? await hangUp(response) : await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) as T };
  };
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}

async function hangUp({ body }: Response): Promise<string> {
  await body?.cancel();
  return '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
