import { pluginConfigClient } from '@plugin-config/client';

/** This script, one folder below the console's own address. */
const SCRIPT = import.meta.url;

/** The path of the console, without a trailing slash. */
export const CONSOLE_PATH = new URL('..', SCRIPT).pathname.replace(/\/$/, '');

/** The address of the service, with a trailing slash. */
export const SERVICE_URL = new URL('../..', SCRIPT).href;

/** Sends the requests of the page, which are authenticated by a cookie that scripts cannot read. */
let send: typeof fetch = async (...request) => fetch(...request);

/** Makes the page send its requests in another way. */
export function sendWith(other: typeof fetch): void {
  send = other;
}

/** The service that serves this page. */
export const service = pluginConfigClient({
  url: SERVICE_URL,
  fetch: async (...request) => send(...request),
});
