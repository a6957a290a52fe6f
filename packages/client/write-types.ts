import * as contract from '@plugin-config/contract';
import * as z from 'zod';

type Schema = Exclude<z.core.JSONSchema._JSONSchema, boolean>;
type Kind = 'Query' | 'Received' | 'Sent';

const NAMED = /^export type (\w+) = (?:Omit<)?(?:Query|Received|Sent)<typeof contract\.(\w+)>.*;$/gm;
const DERIVED = /(^export type \w+ = )?(Query|Received|Sent)<typeof contract\.(\w+)>/gm;

/** The text of types that are derived from the contract, with their descriptions. */
export interface TypeWriter {
  /** Returns `wire.ts` without its imports. */
  readonly wire: () => string;
  /** Returns the type of a schema of an endpoint: its name in `wire.ts`, or its text. */
  readonly typeOf: (schema: z.ZodType, kind: Kind) => string;
}

/** @param wire the text of `wire.ts`, which names types */
export function typeWriter(wire: string): TypeWriter {
  const names = new Map([...wire.matchAll(NAMED)].map(([, name, id]) => [id, name]));
  const exported = new Set([...wire.matchAll(DERIVED)].map(([, , , id]) => id));
  const ids = new Map<unknown, string>(
    schemasOfEndpoints().map((schema, index) => [schema, `schema${index}`]),
  );
  for (const [id, value] of Object.entries(contract)) if (exported.has(id)) ids.set(value, id);
  const [received, sent] = [jsonSchemas(ids, 'output'), jsonSchemas(ids, 'input')];

  const schemaOf = (id: string, kind: Kind): Schema => {
    const schema = (kind === 'Received' ? received : sent).get(id);
    if (schema === undefined) throw new Error(`The contract has no schema ${id}.`);
    return schema;
  };
  const textOf = (id: string, kind: Kind): string => {
    const typeOf = (ref: string): string => names.get(ref) ?? textOf(ref, kind);
    return write(schemaOf(id, kind), { typeOf, isQuery: kind === 'Query' });
  };
  return {
    wire: () =>
      wire
        .replaceAll(/^import .*\n+/gm, '')
        .replaceAll(DERIVED, (_, start: string | undefined, kind: Kind, id: string) =>
          start === undefined
            ? textOf(id, kind)
            : `${comment(schemaOf(id, kind))}${start}${textOf(id, kind)}`,
        ),
    typeOf: (schema, kind) => {
      const id = ids.get(schema) ?? '';
      return names.get(id) ?? textOf(id, kind);
    },
  };
}

function schemasOfEndpoints(): readonly (z.ZodType | undefined)[] {
  return Object.values<contract.Endpoint>(contract.endpoints).flatMap(
    ({ body, query, events, responses }) => {
      const bodies = Object.values(responses).map((response) => response.body);
      return [body?.schema, query, ...Object.values(events ?? {}), ...bodies, ...bodies.map(itemOf)];
    },
  );
}

/** Returns the schema of the `results` of a response. */
export function itemOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  const results: unknown = schema instanceof z.ZodObject ? schema.shape['results'] : undefined;
  return results instanceof z.ZodArray ? (results.element as z.ZodType) : undefined;
}

/** Returns the JSON Schemas of schemas, and of schemas that they refer to. */
function jsonSchemas(ids: ReadonlyMap<unknown, string>, io: 'input' | 'output'): ReadonlyMap<string, Schema> {
  const registry = z.registry<{ readonly id: string }>();
  for (const [schema, id] of ids) if (schema instanceof z.ZodType) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: (id) => id });
  const shared = Object.entries(schemas['__shared']?.$defs ?? {});
  return new Map([
    ...Object.entries(schemas),
    ...shared.map(([id, schema]) => [`__shared#/$defs/${id}`, schema] as const),
  ]);
}

interface Context {
  /** Returns the type of a schema that another one refers to. */
  readonly typeOf: (ref: string) => string;
  readonly isQuery: boolean;
}

function write(schema: Schema, context: Context): string {
  const type = (part: unknown): string => write(part as Schema, context);
  const union = (parts: readonly unknown[]): string => parts.map(type).join(' | ');
  const { $ref, const: value, enum: values, anyOf, format, items } = schema;
  if ($ref !== undefined) return context.typeOf($ref);
  if (value !== undefined) return JSON.stringify(value);
  if (values !== undefined) return values.map((one) => JSON.stringify(one)).join(' | ');
  if (anyOf !== undefined) return union(anyOf);
  if (Array.isArray(schema.type)) return union(schema.type.map((one) => ({ ...schema, type: one })));
  if (schema.type === 'array') return `ReadonlyArray<${type(items)}>`;
  if (schema.type === 'object') return writeObject(schema, context);
  if (schema.type === 'integer') return 'number';
  if (context.isQuery && format === 'date-time') return 'Date | string';
  if (schema.pattern?.startsWith('^slug:') === true) return '`slug:${string}`';
  return schema.type ?? 'Json';
}

function writeObject(
  { properties, required = [], propertyNames, additionalProperties }: Schema,
  context: Context,
): string {
  const type = (part: unknown): string => write(part as Schema, context);
  if (additionalProperties === true || (properties ?? additionalProperties) === undefined)
    return 'JsonObject';
  if (properties === undefined) {
    const hasKeys = typeof propertyNames === 'object' && propertyNames.enum !== undefined;
    const record = `Readonly<Record<${hasKeys ? type(propertyNames) : 'string'}, ${type(additionalProperties)}>>`;
    return hasKeys ? `Partial<${record}>` : record;
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const typed = required.includes(name) ? `: ${type(field)}` : `?: ${type(field)} | undefined`;
    return `${comment(field as Schema)}readonly ${name}${typed};`;
  });
  return braced(fields.join('\n'));
}

/** Returns a text as an indented block. */
export function braced(text: string): string {
  return `{\n${text}`.replaceAll('\n', '\n  ') + '\n}';
}

function comment({ description, default: value }: Schema): string {
  const isDefault = ['number', 'string'].includes(typeof value);
  const sentences = [description, isDefault && `Defaults to ${JSON.stringify(value)}.`].filter(Boolean);
  return sentences.length === 0 ? '' : `/** ${sentences.join(' ')} */\n`;
}
