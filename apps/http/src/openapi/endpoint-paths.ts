import {
  COMMON_EVENTS,
  administrationEndpoints,
  alertEndpoints,
  declarationEndpoints,
  projectEndpoints,
  sessionEndpoints,
  recordEndpoints,
  revisionEndpoints,
  runtimeEndpoints,
  subresourceEndpoints,
  streamEndpoints,
  webhookEndpoints,
  WIRE_FAMILIES,
  type Endpoint,
  type WireFamily,
} from '@plugin-config/contract';
import { FAMILIES, type Family } from '@plugin-config/domain';
import type * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { familiesOf } from '../endpoints/families-of.ts';
import { operation } from './operation.ts';

const RECORDS: readonly Endpoint[] = Object.values({
  ...recordEndpoints,
  ...revisionEndpoints,
  ...runtimeEndpoints,
  ...subresourceEndpoints,
  ...streamEndpoints,
});
/** A family without an entry does not compile. */
const WORDS: Readonly<Record<Family, (typeof WIRE_FAMILIES)[WireFamily]>> = WIRE_FAMILIES;

/** Creates the paths of the document from the endpoint definitions. */
export function endpointPaths(): ZodOpenApiPathsObject {
  const described = [
    ...Object.values(projectEndpoints).map((endpoint) => describeOne(endpoint, { tag: 'Projects' })),
    ...Object.values(sessionEndpoints).map((endpoint) => describeOne(endpoint, { tag: 'Session' })),
    ...Object.values(administrationEndpoints).map((endpoint) =>
      describeOne(endpoint, { tag: 'Administration' }),
    ),
    ...Object.values(declarationEndpoints).map((endpoint) => describeOne(endpoint, { tag: 'Configuration' })),
    ...Object.values(alertEndpoints).map((endpoint) => describeOne(endpoint, { tag: 'Alerts' })),
    ...Object.values(webhookEndpoints).map((endpoint) => describeOne(endpoint, { tag: 'Webhooks' })),
    ...FAMILIES.flatMap((family) =>
      RECORDS.filter((endpoint) => familiesOf(endpoint).includes(family)).map((endpoint) =>
        describeOne(endpoint, { ...WORDS[family], family }),
      ),
    ),
  ];
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { path, method, described: one } of described) (paths[path] ??= {})[method] = one;
  return paths;
}

/** Returns the schemas of all stream events by their component names. */
export function eventSchemas(): Readonly<Record<string, z.ZodType>> {
  const all = [COMMON_EVENTS, ...RECORDS.map(({ events }) => events ?? {})].flatMap((events) =>
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
