import { pluginConfigClient } from '@plugin-config/client';

/** A script of the console, which is in a folder below the console itself. */
const SCRIPT = import.meta.url;

/** The path of the console, without a slash at its end. */
export const CONSOLE_PATH = new URL('..', SCRIPT).pathname.replace(/\/$/, '');

/** The service that serves this page. It knows the caller by a cookie, which no script can read. */
export const service = pluginConfigClient({ url: new URL('../..', SCRIPT).href });
