import { pluginConfigClient } from '@plugin-config/client';

/** A script of the console, which is in a folder below the console itself. */
const SCRIPT = import.meta.url;

/** The path of the console, without a slash at its end. */
export const CONSOLE_PATH = new URL('..', SCRIPT).pathname.replace(/\/$/, '');

/** The address of the service, with a slash at its end. */
export const SERVICE_URL = new URL('../..', SCRIPT).href;

/** The service that serves this page. It knows the caller by a cookie, which no script can read. */
export const service = pluginConfigClient({ url: SERVICE_URL });
