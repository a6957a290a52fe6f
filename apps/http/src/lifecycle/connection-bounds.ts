/** File descriptors reserved for files, database connections and the like. */
const OTHER_FILES = 500;
/** Most of them are for runtimes that wait. */
const CONNECTIONS_MAX = 25_000;
const STREAMS_MAX = 5000;
/** With a low limit, the other connections are for requests. */
const STREAMS_SHARE = 5 / 8;

export interface ConnectionBounds {
  readonly connections: number;
  readonly streams: number;
}

/** Returns the maximum number of connections and streams, which depends on the open files limit of the process. */
export function connectionBounds(openFilesMax = openFilesLimit()): ConnectionBounds {
  const connections = Math.min(CONNECTIONS_MAX, Math.max(OTHER_FILES, openFilesMax - OTHER_FILES));
  return { connections, streams: Math.min(STREAMS_MAX, Math.floor(connections * STREAMS_SHARE)) };
}

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } };
}

/** Resolving the host names of all connections would take seconds. */
const WITHOUT_NETWORK = { excludeNetwork: true };

function openFilesLimit(): number {
  Object.assign(process.report, WITHOUT_NETWORK);
  const { userLimits } = process.report.getReport() as Report;
  const limit = userLimits?.open_files?.soft;
  return typeof limit === 'number' ? limit : Infinity;
}
