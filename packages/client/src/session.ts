import type { Call, RequestOptions } from './calls/call.ts';
import type { OwnApiKey } from './wire/administration.ts';

/** The session of a page of the service, for a client without a key. */
export interface PageSession {
  /** Signs in: the browser keeps a cookie, which no script can read. */
  begin(key: string, options?: RequestOptions): Promise<void>;
  /** The key that the session stands for. */
  retrieve(options?: RequestOptions): Promise<OwnApiKey>;
  /** Signs out. */
  end(options?: RequestOptions): Promise<void>;
}

export function pageSession(call: Call): PageSession {
  return {
    begin: async (key, own) => call('beginSession', { params: {}, body: { key } }, own),
    retrieve: async (own) => call('retrieveSession', { params: {} }, own),
    end: async (own) => call('endSession', { params: {} }, own),
  };
}
