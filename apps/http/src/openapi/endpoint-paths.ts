import {
  COMMON_EVENTS,
  administrationEndpoints,
  pluginVersionEndpoints,
  alertEndpoints,
  declarationEndpoints,
  endpoints,
  projectEndpoints,
  serviceEndpoints,
  sessionEndpoints,
  trustEndpoints,
  webhookEndpoints,
  FAMILY_WORDS,
  type Endpoint,
} from '@plugin-config/contract';
import { FAMILIES, type Family } from '@plugin-config/domain';
import type * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { familiesOf } from '../endpoints/families-of.ts';
import { operation } from './operation.ts';

/** The endpoints of each tag. All others belong to a family. */
const BY_TAG: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = {
  Projects: projectEndpoints,
  Session: sessionEndpoints,
  Administration: { ...administrationEndpoints, ...pluginVersionEndpoints, ...trustEndpoints },
  Configuration: declarationEndpoints,
  Alerts: alertEndpoints,
  Webhooks: webhookEndpoints,
  'All projects': serviceEndpoints,
};
const OF_FAMILY = Object.values<Endpoint>(endpoints).filter(({ path }) => path.includes(':family'));
/** A family without an entry does not compile. */

/** Creates the paths of the document from the endpoint definitions. */
export function endpointPaths(): ZodOpenApiPathsObject {
  const described = [
    ...Object.entries(BY_TAG).flatMap(([tag, group]) =>
      Object.values(group).map((endpoint) => describeOne(endpoint, { tag })),
    ),
    ...FAMILIES.flatMap((family) =>
      OF_FAMILY.filter((endpoint) => familiesOf(endpoint).includes(family)).map((endpoint) =>
        describeOne(endpoint, { ...FAMILY_WORDS[family], family }),
      ),
    ),
  ];
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { path, method, described: one } of described) (paths[path] ??= {})[method] = one;
  return paths;
}

/** Returns the schemas of all stream events by their component names. */
export function eventSchemas(): Readonly<Record<string, z.ZodType>> {
  const all = [COMMON_EVENTS, ...OF_FAMILY.map(({ events }) => events ?? {})].flatMap((events) =>
    Object.values(events),
  );
  return Object.fromEntries(all.map((data) => [data.meta()?.id ?? '', data]));
}

interface Words {
  readonly tag: string;
  readonly family?: Family | '';
  readonly one?: string;
  readonly many?: string;
}

function describeOne(endpoint: Endpoint, { tag, family = '', one = '', many = '' }: Words) {
  const operationId = endpoint.operationId.replace('{one}', one).replace('{many}', many);
  return {
    path: endpoint.path.replace(':family', family).replaceAll(/:(\w+)/g, '{$1}'),
    method: endpoint.method.toLowerCase(),
    described: operation({ ...endpoint, operationId }, tag),
  };
}
