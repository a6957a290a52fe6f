import type { WireConfigRecord } from '@plugin-config/contract';

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Whatever the caller says that it is. */
  readonly body: T;
}

export interface Request {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the usual key; null for none at all. */
  readonly token?: string | null;
}

export type Call = <T = WireConfigRecord>(
  method: string,
  path: string,
  request?: Request,
) => Promise<Answer<T>>;

interface Options {
  readonly base: string;
  readonly token: string | null;
}

/** Sends requests; a body that is no text goes out as JSON. */
export function caller({ base, token: usualToken }: Options): Call {
  return async <T>(
    method: string,
    path: string,
    { body, headers = {}, token = usualToken }: Request = {},
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
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) as T };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
