import type { EditedRecord, OwnedRecord, PluginConfigError, ProjectClient } from '@plugin-config/client';
import type { Invocation } from '../invocation.ts';
import { inform, printJson } from '../output.ts';
import { reason } from '../reason.ts';
import { table, type Columns } from '../table.ts';
import type { Locate } from './document-file.ts';

/** Names a record as the arguments of the commands do. */
export function recordPath({ family, id }: Pick<OwnedRecord, 'family' | 'id'>): string {
  return `${family}/${id}`;
}

export const EDITED_COLUMNS: Columns<EditedRecord> = {
  RECORD: recordPath,
  KEY: ({ key }) => key,
  FIELDS: ({ fields }) => fields.join(','),
  BY: ({ actor }) => actor?.label ?? null,
  AT: ({ at }) => at,
};

const CONFLICT_COLUMNS: Columns<OwnedRecord> = {
  RECORD: recordPath,
  KEY: ({ key }) => key,
  MANAGER: ({ manager }) => manager,
};

/** A plan of thousands of records takes seconds. */
const TIMEOUT_MS = 60_000;

interface Asked {
  readonly project: number;
  readonly json?: true | undefined;
  /** Finds what the service rejects in the file of the caller. */
  readonly locate?: Locate | undefined;
}

/** Works on a project over the API, with the address and the key of the environment. Tells what the service rejects. */
export async function withProject(
  { env }: Invocation,
  { project, json, locate }: Asked,
  work: (project: ProjectClient) => Promise<void>,
): Promise<void> {
  const { API_URL: url = '', API_KEY: key = '' } = env;
  if (url === '' || key === '')
    throw new Error('API_URL and API_KEY are required: the address of the service, and a key for it.');
  if (!URL.canParse(url)) throw new Error('API_URL is no address, such as https://plugins.example.com.');
  const { pluginConfigClient, PluginConfigError } = await import('@plugin-config/client');
  try {
    await work(pluginConfigClient({ url, key, timeoutMs: TIMEOUT_MS }).project(project));
  } catch (error) {
    if (!(error instanceof PluginConfigError)) throw error;
    if (json === true) printJson(presentRefusal(error));
    throw new Error(tell(error, locate), { cause: error });
  }
}

function tell(error: PluginConfigError, locate: Locate = plainly): string {
  const { changed, conflicts, errors, attr, detail, code } = error;
  if (code === 'unreachable') return `${error.message} ${reason(causeOf(error))}`;
  if (code === 'timed_out' || code === 'unreadable') return error.message;
  if (changed.length > 0) inform(table(changed, EDITED_COLUMNS));
  if (conflicts.length > 0) inform(table(conflicts, CONFLICT_COLUMNS));
  for (const other of errors.slice(1)) inform(locate(other.attr, other.detail));
  return locate(attr, detail);
}

/** What a request failed of. That of `fetch` says only that it did. */
function causeOf({ cause }: Error): unknown {
  return cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
}

function plainly(attr: string | null, detail: string): string {
  return attr === null ? detail : `${attr}: ${detail}`;
}

function presentRefusal({ code, detail, attr, errors, changed, conflicts }: PluginConfigError): object {
  return { error: { code, detail, attr }, errors, changed, conflicts };
}
