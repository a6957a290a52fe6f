import type { EditedRecord, OwnedRecord, PluginConfigError, ProjectClient } from '@plugin-config/client';
import type { Invocation } from '../invocation.ts';
import { inform, printJson } from '../output.ts';
import { reason } from '../reason.ts';
import { table, type Columns } from '../table.ts';
import type { Locate } from './document-file.ts';

/** Formats a record as in the arguments of the commands. */
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

/** Planning thousands of records takes seconds. */
const TIMEOUT_MS = 60_000;

interface WithProjectOptions {
  readonly project: number;
  readonly json?: true | undefined;
  /** Adds the position in the document to an error of the service. */
  readonly locate?: Locate | undefined;
}

/** Runs `work` on a project over the API, and explains errors of the service. */
export async function withProject(
  { env }: Invocation,
  { project, json, locate }: WithProjectOptions,
  work: (project: ProjectClient) => Promise<void>,
): Promise<void> {
  const { API_URL: url = '', API_KEY: key = '' } = env;
  if (url === '' || key === '')
    throw new Error('API_URL and API_KEY are required: the address of the service, and an API key.');
  if (!URL.canParse(url))
    throw new Error('Invalid API_URL: expected an address such as https://plugins.example.com.');
  const { pluginConfigClient, PluginConfigError } = await import('@plugin-config/client');
  try {
    await work(pluginConfigClient({ url, key, timeoutMs: TIMEOUT_MS }).project(project));
  } catch (error) {
    if (!(error instanceof PluginConfigError)) throw error;
    if (json === true) printJson(presentError(error));
    throw new Error(explain(error, locate), { cause: error });
  }
}

function explain(error: PluginConfigError, locate: Locate = withoutPosition): string {
  const { changed, conflicts, errors, attr, detail, code } = error;
  if (code === 'unreachable') return `${error.message} ${reason(causeOf(error))}`;
  if (code === 'timed_out' || code === 'unreadable') return error.message;
  if (changed.length > 0) inform(table(changed, EDITED_COLUMNS));
  if (conflicts.length > 0) inform(table(conflicts, CONFLICT_COLUMNS));
  for (const other of errors.slice(1)) inform(locate(other.attr, other.detail));
  return locate(attr, detail);
}

/** Returns the root cause of a failed request: the error of `fetch` itself says nothing. */
function causeOf({ cause }: Error): unknown {
  return cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
}

function withoutPosition(attr: string | null, detail: string): string {
  return attr === null ? detail : `${attr}: ${detail}`;
}

function presentError({ code, detail, attr, errors, changed, conflicts }: PluginConfigError): object {
  return { error: { code, detail, attr }, errors, changed, conflicts };
}
