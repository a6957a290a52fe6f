import * as contract from '@plugin-config/contract';
import * as z from 'zod';

type Schema = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

const NAMED = /^export type (\w+) = (?:Query|Received|Sent)<typeof contract\.(\w+)>;$/gm;
const DERIVED = /(^export type \w+ = )?(Query|Received|Sent)<typeof contract\.(\w+)>/gm;

/** Returns a module without its imports. Types that it derives from the contract are written out, with their descriptions. */
export function writeTypes(module: string): string {
  const names = new Map([...module.matchAll(NAMED)].map(([, name, id]) => [id, name]));
  const ids = new Set([...module.matchAll(DERIVED)].map(([, , , id = '']) => id));
  const [received, sent] = [schemasOf(ids, 'output'), schemasOf(ids, 'input')];
  return module
    .replaceAll(/^import .*\n+/gm, '')
    .replaceAll(DERIVED, (_, start: string | undefined, kind: string, id: string) => {
      const schemas = kind === 'Received' ? received : sent;
      const typeOf = (ref: string): string =>
        names.get(ref) ?? write(schemas.get(ref) ?? {}, { typeOf, isQuery: kind === 'Query' });
      const schema = schemas.get(id);
      if (schema === undefined) throw new Error(`The contract has no schema ${id}.`);
      const type = write(schema, { typeOf, isQuery: kind === 'Query' });
      return start === undefined ? type : `${comment(schema)}${start}${type}`;
    });
}

/** Returns the JSON Schemas of these exports of the contract, and of the schemas that they refer to. */
function schemasOf(ids: ReadonlySet<string>, io: 'input' | 'output'): ReadonlyMap<string, Schema> {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of Object.entries(contract))
    if (schema instanceof z.ZodType && ids.has(id)) registry.add(schema, { id });
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
    const isRequired = !context.isQuery && required.includes(name);
    const typed = isRequired ? `: ${type(field)}` : `?: ${type(field)} | undefined`;
    return `${comment(field as Schema)}readonly ${name}${typed};`;
  });
  return `{\n${fields.join('\n')}`.replaceAll('\n', '\n  ') + '\n}';
}

function comment({ description, default: value }: Schema): string {
  const isDefault = ['number', 'string'].includes(typeof value);
  const sentences = [description, isDefault && `Defaults to ${JSON.stringify(value)}.`].filter(Boolean);
  return sentences.length === 0 ? '' : `/** ${sentences.join(' ')} */\n`;
}
