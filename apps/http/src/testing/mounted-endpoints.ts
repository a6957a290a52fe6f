import {
  administrationEndpoints,
  declarationEndpoints,
  projectEndpoints,
  sessionEndpoints,
  recordEndpoints,
  revisionEndpoints,
  runtimeEndpoints,
  subresourceEndpoints,
  streamEndpoints,
  type Endpoint,
} from '@plugin-config/contract';
import type { Family } from '@plugin-config/domain';
import { familiesOf } from '../endpoints/families-of.ts';

/** An endpoint, for one family if its path has one. */
export interface Operation {
  readonly title: string;
  readonly endpoint: Endpoint;
  readonly family: Family | null;
}

const GROUPS: readonly Readonly<Record<string, Endpoint>>[] = [
  projectEndpoints,
  sessionEndpoints,
  administrationEndpoints,
  declarationEndpoints,
  recordEndpoints,
  revisionEndpoints,
  runtimeEndpoints,
  subresourceEndpoints,
  streamEndpoints,
];

/** All operations, from the endpoint definitions: tests over them include new endpoints automatically. */
export const OPERATIONS: readonly Operation[] = GROUPS.flatMap((group) =>
  Object.entries(group).flatMap(([name, endpoint]) =>
    familiesOf(endpoint).map((family) => ({
      title: family === null ? name : `${name} of ${family}`,
      endpoint,
      family,
    })),
  ),
);

export interface PathIds {
  readonly project: number | string;
  readonly record: number;
  /** The id of the job and of the log entry. */
  readonly job: string;
  readonly key?: number;
  readonly plugin?: number;
}

/** Returns the path with these parameters. */
export function pathOf(
  { endpoint, family }: Operation,
  { project, record, job, key = 0, plugin = 0 }: PathIds,
): string {
  return endpoint.path
    .replace(':project_id', String(project))
    .replace(':family', family ?? '')
    .replace(/:(id|plugin_config_id)/, String(record))
    .replace(/:(job_id|entry_id)/, job)
    .replace(':revision', '1')
    .replace(':instance', 'shop-1')
    .replace(':key_id', String(key))
    .replace(':plugin_id', String(plugin));
}

/** Returns the first example of the body, if there is one; for signing in, the key itself. */
export function exampleBody(
  { endpoint, title }: Operation,
  token: string | null,
): { readonly body?: unknown } {
  if (title === 'beginSession') return { body: { key: token } };
  const [body] = Object.values(endpoint.body?.examples ?? {});
  return body === undefined ? {} : { body };
}
