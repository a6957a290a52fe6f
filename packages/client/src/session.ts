import type { Call, RequestOptions } from './calls/call.ts';
import type { OwnApiKey } from './wire/administration.ts';

/** The session of a page of the service, for a client without a key. */
export interface PageSession {
  /** Signs in. The browser keeps a cookie that scripts cannot read. */
  begin(key: string, options?: RequestOptions): Promise<void>;
  /** Retrieves the key of the session. */
  retrieve(options?: RequestOptions): Promise<OwnApiKey>;
  /** Signs out. */
  end(options?: RequestOptions): Promise<void>;
}

export function pageSession(call: Call): PageSession {
  return {
    begin: async (key, options) => call('beginSession', { params: {}, body: { key } }, options),
    retrieve: async (options) => call('retrieveSession', { params: {} }, options),
    end: async (options) => call('endSession', { params: {} }, options),
  };
}
