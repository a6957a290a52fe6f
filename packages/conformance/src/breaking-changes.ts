import {
  isObject,
  locate,
  operationsOf,
  pointerTo,
  type JsonObject,
  type Located,
  type Operation,
} from './document.ts';
import { schemaChange, type SchemaIn } from './schema-change.ts';

interface Both {
  readonly released: JsonObject;
  readonly current: JsonObject;
}

/** Lists the changes that break clients of the released document, and receivers of its webhooks. */
export function breakingChanges(released: JsonObject, current: JsonObject): readonly string[] {
  const operations = operationsOf(current);
  const changed = operationsOf(released).flatMap((before) => {
    const after = operations.find(({ method, path }) => method === before.method && path === before.path);
    const changes = after === undefined ? ['removed'] : changesOf({ released, current }, before, after);
    return changes.map((change) => `${before.method} ${before.path}: ${change}`);
  });
  return [...changed, ...webhookChanges({ released, current })];
}

/** Receivers read the bodies, as clients read responses. */
function webhookChanges({ released, current }: Both): readonly string[] {
  const [old, now] = [released, current].map(({ webhooks }) => (isObject(webhooks) ? webhooks : {}));
  const body = ['post', 'requestBody', 'content', 'application/json', 'schema'];
  return Object.keys(old ?? {}).flatMap((name) => {
    if (now?.[name] === undefined) return [`webhook ${name}: removed`];
    const pointer = pointerTo('/webhooks', name, ...body);
    return prefixed(`webhook ${name}`, schemaChange(at(released, pointer), at(current, pointer)));
  });
}

function changesOf(both: Both, before: Operation, after: Operation): readonly string[] {
  return [
    ...(before.id === after.id ? [] : [`renamed from ${before.id} to ${after.id}`]),
    ...parameterChanges(both, before, after),
    ...bodyChanges(both, before, after),
    ...before.statuses.flatMap((status) =>
      after.statuses.includes(status)
        ? responseChanges(both, before, after, status)
        : [`response ${status} removed`],
    ),
  ];
}

function parameterChanges(
  { released, current }: Both,
  before: Operation,
  after: Operation,
): readonly string[] {
  const [old, now] = [parametersOf(released, before), parametersOf(current, after)];
  const narrowed = [...old].flatMap(([name, { pointer }]) => {
    const parameter = now.get(name);
    if (parameter === undefined) return [`parameter ${name} removed`];
    const [wide, narrow] = [at(current, parameter.pointer, 'schema'), at(released, pointer, 'schema')];
    return prefixed(`parameter ${name}`, schemaChange(wide, narrow));
  });
  const required = [...now].filter(
    ([name, { value }]) => value['required'] === true && old.get(name)?.value['required'] !== true,
  );
  return [...narrowed, ...required.map(([name]) => `parameter ${name} made required`)];
}

function parametersOf(document: JsonObject, { pointer, value }: Operation): ReadonlyMap<string, Located> {
  const parameters = Array.isArray(value['parameters']) ? value['parameters'] : [];
  return new Map(
    parameters.map((_, index) => {
      const parameter = locate(document, pointerTo(pointer, 'parameters', String(index)));
      return [`${String(parameter.value['name'])} (${String(parameter.value['in'])})`, parameter] as const;
    }),
  );
}

function bodyChanges({ released, current }: Both, before: Operation, after: Operation): readonly string[] {
  const [old, now] = [before.value['requestBody'], after.value['requestBody']];
  const [wasRequired, isRequired] = [old, now].map((body) => isObject(body) && body['required'] === true);
  return [
    ...(isRequired === true && wasRequired !== true ? ['body made required'] : []),
    ...(isObject(old)
      ? contentChanges('body', old, now, (type) =>
          schemaChange(
            at(current, after.pointer, 'requestBody', 'content', type, 'schema'),
            at(released, before.pointer, 'requestBody', 'content', type, 'schema'),
            { keepsProperties: true },
          ),
        )
      : []),
  ];
}

function responseChanges({ released, current }: Both, before: Operation, after: Operation, status: number) {
  const old = locate(released, pointerTo(before.pointer, 'responses', String(status)));
  const now = locate(current, pointerTo(after.pointer, 'responses', String(status)));
  const what = `response ${status}`;
  const headers = Object.keys(isObject(old.value['headers']) ? old.value['headers'] : {}).filter(
    (name) => !isObject(now.value['headers']) || now.value['headers'][name] === undefined,
  );
  return [
    ...headers.map((name) => `${what}: header ${name} removed`),
    ...contentChanges(what, old.value, now.value, (type) => {
      const [wide, narrow] = [
        [old.pointer, 'content', type],
        [now.pointer, 'content', type],
      ] as const;
      return [
        ...schemaChange(at(released, ...wide, 'schema'), at(current, ...narrow, 'schema')),
        ...eventChanges(at(released, ...wide), at(current, ...narrow)),
      ];
    }),
  ];
}

function eventChanges(old: SchemaIn, now: SchemaIn): readonly string[] {
  const [events, others] = [old, now].map(({ schema }) =>
    isObject(schema['x-events']) ? schema['x-events'] : {},
  );
  return Object.entries(events ?? {}).flatMap(([name, schema]) => {
    const other = others?.[name];
    if (!isObject(other) || !isObject(schema)) return [`: event ${name} removed`];
    return prefixed(`: event ${name}`, schemaChange({ ...old, schema }, { ...now, schema: other }));
  });
}

function contentChanges(
  what: string,
  old: JsonObject,
  now: unknown,
  changesOfType: (type: string) => readonly string[],
): readonly string[] {
  if (!isObject(old['content'])) return [];
  const content = isObject(now) && isObject(now['content']) ? now['content'] : {};
  return Object.keys(old['content']).flatMap((type) =>
    content[type] === undefined ? [`${what}: ${type} removed`] : prefixed(what, changesOfType(type)),
  );
}

const at = (document: JsonObject, pointer: string, ...names: readonly string[]): SchemaIn => ({
  document,
  schema: locate(document, pointerTo(pointer, ...names)).value,
});

const prefixed = (what: string, changes: readonly string[]): readonly string[] =>
  changes.map((change) => `${what}${change}`);
