import type { Items } from '../mounted-endpoints.ts';
import type { DescribedOperation } from './described-operations.ts';
import { ODD_BODIES, ODD_ENCODED, ODD_HEADERS, ODD_JSON } from './odd-values.ts';

/** An odd value in an otherwise valid request. Values are sent unencoded. */
export type Oddity =
  | { readonly in: 'path' | 'query' | 'header' | 'field'; readonly name: string; readonly value: string }
  | { readonly in: 'body'; readonly value: string };

/** The ids in a valid request of the operation. */
export interface Ids {
  readonly project: number;
  readonly record: number;
  readonly job: string;
  readonly items: Items;
}

/** Returns all oddities for all inputs of the operation. */
export function oddities({ path, query, header, fields }: DescribedOperation): readonly Oddity[] {
  return [
    ...each('path', path, () => ODD_ENCODED),
    ...each('query', query, (name) => [...ODD_ENCODED, `1&${name}=2`, `1&${name}[]=2`, `1&${name}[a]=2`]),
    ...each('query', ODD_NAMES, () => ['1']),
    ...each('header', header, (name) => [...ODD_HEADERS, `"1.1-x"\r\n${name}: "1.2-x"`]),
    ...(fields === null ? [] : each('field', [...fields, ...ODD_NAMES], duplicated)),
    ...(fields === null ? [] : ODD_BODIES.map((value): Oddity => ({ in: 'body', value }))),
  ];
}

const ODD_NAMES = ['__proto__', 'constructor'];

function each(
  where: 'path' | 'query' | 'header' | 'field',
  names: readonly string[],
  values: (name: string) => readonly string[],
): readonly Oddity[] {
  return names.flatMap((name) => values(name).map((value): Oddity => ({ in: where, name, value })));
}

/** Returns odd values of a field, and duplicates of the field. */
function duplicated(name: string): readonly string[] {
  const key = JSON.stringify(name.split('.').at(-1));
  return [...ODD_JSON, `1,${key}:{}`, `{},${key}:1`];
}

/** Returns the request with these oddities. Several for the same input repeat it. */
export function oddRequest(
  operation: DescribedOperation,
  { project, record, job, items }: Ids,
  token: string,
  odd: readonly Oddity[],
): { readonly lines: readonly string[]; readonly body: string } {
  const { endpoint, family } = operation;
  const base = new Map([
    ['project_id', String(project)],
    ['family', family ?? ''],
    ['job_id', job],
    ['entry_id', job],
    ['revision', '1'],
    ['instance', 'shop-1'],
    ['alert_id', String(items.alert)],
    ['webhook_id', String(items.webhook)],
    ['delivery_id', items.delivery],
  ]);
  const odds = (where: Oddity['in']) =>
    odd.flatMap((one) => (one.in === where && 'name' in one ? [one] : []));
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const given = odds('path').find((one) => one.name === name)?.value;
    return given ?? base.get(name) ?? String(record);
  });
  const given = odds('query').map(({ name, value }) => `${name}=${value}`);
  const needsManager =
    operation.query.includes('manager') && odds('query').every(({ name }) => name !== 'manager');
  const query = needsManager ? ['manager=team', ...given] : given;
  const body = bodyOf(operation, odd);
  return {
    lines: [
      `${endpoint.method} ${path}${query.length === 0 ? '' : `?${query.join('&')}`} HTTP/1.1`,
      'Host: fuzz',
      'Connection: close',
      `Authorization: Bearer ${token}`,
      ...(body === null
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body, 'latin1')}`]),
      ...odds('header').map(({ name, value }) => `${name}: ${value}`),
    ],
    body: body ?? '',
  };
}

/** Returns the body as Latin-1 text. A new record gets a position, since the last possible one may be taken. */
function bodyOf({ endpoint, fields }: DescribedOperation, odd: readonly Oddity[]): string | null {
  if (fields === null) return null;
  const whole = odd.find((one) => one.in === 'body');
  if (whole !== undefined) return whole.value;
  const odds = odd.flatMap((one) =>
    one.in === 'field' ? [{ path: one.name.split('.'), value: one.value }] : [],
  );
  const examples = Object.values(endpoint.body?.examples ?? {});
  const fitting = examples.find((example) =>
    odds.every(({ path: [name = ''] }) => Object.hasOwn(example, name)),
  );
  const example = fitting ?? examples[0] ?? {};
  const base = 'plugin' in example ? { order: 1, ...example } : example;
  return Buffer.from(objectText(base, odds)).toString('latin1');
}

interface OddMember {
  readonly path: readonly string[];
  readonly value: string;
}

/** Returns the JSON text of an object with odd members, which can be nested. */
function objectText(base: Readonly<Record<string, unknown>>, odds: readonly OddMember[]): string {
  const replaced = new Set(odds.map(({ path }) => path[0]));
  const members = [
    ...Object.entries(base)
      .filter(([name]) => !replaced.has(name))
      .map(([name, value]) => [name, JSON.stringify(value)] as const),
    ...odds.map(({ path: [name = '', ...path], value }) => {
      const inner = Object.hasOwn(base, name) ? (base[name] as Readonly<Record<string, unknown>>) : {};
      return [name, path.length === 0 ? value : objectText(inner, [{ path, value }])] as const;
    }),
  ];
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}
