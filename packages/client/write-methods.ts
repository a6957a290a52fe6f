import {
  camelCase,
  endpoints,
  familyName,
  pageEnvelope,
  pathParams,
  type Endpoint,
} from '@plugin-config/contract';
import * as z from 'zod';
import { operations, type Operation } from './src/calls/operations.ts';
import { braced, itemOf, type TypeWriter } from './write-types.ts';

/** The interfaces, each with the part of the path that their objects fill in. */
const PATHS = [
  ['FamilyMethods', '/api/projects/:project_id/:family'],
  ['ProjectMethods', '/api/projects/:project_id'],
  ['ServiceMethods', ''],
] as const;

const IMPORTS = `
import type { ChangeOptions, IdempotencyOptions, ReadOptions, RequestOptions, WriteOptions } from './call.js';
import type { Listing } from './listing.js';
import type { StreamOptions } from '../streams/event-stream.js';
`;

/** Returns the declarations of `methods.ts`, with the descriptions of the endpoints. */
export function writeMethods({ wire, typeOf }: TypeWriter): string {
  const methods = Object.values<Endpoint>(endpoints).map((endpoint, index) => {
    const operation = operations[index] as Operation;
    const [owner, path] = PATHS.find(([, start]) => endpoint.path.startsWith(start)) ?? PATHS[2];
    const [name = '', group = ''] = operation.name.split('.').toReversed();
    const description = `${endpoint.summary}. ${endpoint.description ?? ''}`.replaceAll(/\s+/g, ' ').trim();
    const args = [
      ...idsIn(endpoint, path, typeOf),
      ...inputOf(endpoint, operation, typeOf),
      `options?: ${optionsOf(endpoint, operation, typeOf)}`,
    ];
    const result = resultOf(endpoint, operation, typeOf);
    const text = `/** ${description} */\n${name}(${args.join(', ')}): ${result};`;
    return { owner: endpoint.needsLog === true ? 'LogMethods' : owner, group, text };
  });
  const names = [...wire().matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);
  const interfaces = [...Map.groupBy(methods, ({ owner }) => owner)].map(([owner, owned]) => {
    const members = [...Map.groupBy(owned, ({ group }) => group)].map(([group, grouped]) => {
      const texts = grouped.map(({ text }) => text).join('\n');
      return group === '' ? texts : `readonly ${group}: ${braced(texts)};`;
    });
    return `export interface ${owner} ${braced(members.join('\n'))}\n`;
  });
  return `import type { ${names.join(', ')} } from '../wire.js';${IMPORTS}${interfaces.join('')}`;
}

type TypeOf = TypeWriter['typeOf'];

function idsIn(endpoint: Endpoint, path: string, typeOf: TypeOf): readonly string[] {
  const { shape = {} } = pathParams(endpoint) ?? {};
  return [...endpoint.path.slice(path.length).matchAll(/:(\w+)/g)].map(([, name = '']) => {
    if (name === 'family') return `family: ${typeOf(familyName, 'Received')}`;
    const { type, pattern } = z.toJSONSchema(shape[name] as z.ZodType);
    const isNumber = type === 'integer' || pattern === '^[0-9]+$';
    const takesSlug = pattern?.startsWith('^(slug:') === true;
    return `${camelCase(name)}: ${takesSlug ? 'number | `slug:${string}`' : isNumber ? 'number' : 'string'}`;
  });
}

function inputOf({ body, query }: Endpoint, { takes }: Operation, typeOf: TypeOf): readonly string[] {
  return takes.map((name) => {
    if (name === 'body') return `body: ${body === undefined ? '' : typeOf(body.schema, 'Sent')}`;
    if (query === undefined) return '';
    const { required = [] } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
    return `query${required.length === 0 ? '?' : ''}: ${typeOf(query, 'Query')}`;
  });
}

function optionsOf(endpoint: Endpoint, { returns }: Operation, typeOf: TypeOf): string {
  const { method, condition, needs, idempotent, responses } = endpoint;
  if (returns === 'events') return 'StreamOptions';
  if (method === 'GET' && condition !== undefined && returns !== 'page')
    return `ReadOptions<${typeOf(responses[200]?.body as z.ZodType, 'Received')}>`;
  if (method === 'GET' || needs === 'page') return 'RequestOptions';
  const options = condition === 'If-Match' ? 'WriteOptions' : 'ChangeOptions';
  return idempotent === true ? `${options} & IdempotencyOptions` : options;
}

function resultOf({ events = {}, responses }: Endpoint, { returns }: Operation, typeOf: TypeOf): string {
  if (returns === 'events') {
    const types = Object.entries(events).map(
      ([name, data]) => `StreamEvent<'${name}', ${typeOf(data, 'Received')}>`,
    );
    return `AsyncIterable<${[...types, 'ResetEvent'].join(' | ')}>`;
  }
  const [body] = Object.values(responses).map((response) => response.body);
  if (body === undefined) return 'Promise<void>';
  const item = itemOf(body);
  if (item === undefined || returns === 'value') return `Promise<${typeOf(body, 'Received')}>`;
  const items = typeOf(item, 'Received');
  if (returns === 'results') return `Promise<ReadonlyArray<${items}>>`;
  const isPlain =
    body instanceof z.ZodObject &&
    Object.keys(body.shape).join() === Object.keys(pageEnvelope).concat('results').join();
  return `Listing<${isPlain ? items : `${items}, ${typeOf(body, 'Received')}`}>`;
}
