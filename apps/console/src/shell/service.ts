import { pluginConfigClient } from '@plugin-config/client';

/** This script, one folder below the console's own address. */
const SCRIPT = import.meta.url;

/** The path of the console, without a trailing slash. */
export const CONSOLE_PATH = new URL('..', SCRIPT).pathname.replace(/\/$/, '');

/** The address of the service, with a trailing slash. */
export const SERVICE_URL = new URL('../..', SCRIPT).href;

/** The service that serves this page. Requests are authenticated by a cookie that scripts cannot read. */
export const service = pluginConfigClient({ url: SERVICE_URL });
