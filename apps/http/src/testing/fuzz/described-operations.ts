import { openapiDocument } from '../../openapi/document.ts';
import { OPERATIONS, type Operation } from '../mounted-endpoints.ts';

/** An operation with the names of all its inputs, from the OpenAPI document. */
export interface DescribedOperation extends Operation {
  readonly path: readonly string[];
  readonly query: readonly string[];
  readonly header: readonly string[];
  /** The fields of the body, including nested fields such as `job.type`; null without a body. */
  readonly fields: readonly string[] | null;
  /** The documented statuses. */
  readonly statuses: ReadonlySet<number>;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Described {
  readonly parameters?: readonly { readonly $ref?: string; readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** The document as clients see it. */
const DOCUMENT = JSON.parse(JSON.stringify(openapiDocument({ publicUrl: null }))) as Document;

export const DESCRIBED: readonly DescribedOperation[] = OPERATIONS.map((operation) => {
  const { endpoint, family } = operation;
  const path = endpoint.path.replace(':family', family ?? '').replaceAll(/:(\w+)/g, '{$1}');
  const described = DOCUMENT.paths[path]?.[endpoint.method.toLowerCase()];
  if (described === undefined) throw new Error(`The document has no ${operation.title}.`);
  const parameters = (described.parameters ?? []).map((parameter) => resolved(parameter));
  const named = (where: string): readonly string[] =>
    parameters.filter((parameter) => parameter.in === where).map(({ name }) => name);
  const [body] = Object.values(described.requestBody?.content ?? {});
  return {
    ...operation,
    path: named('path'),
    query: named('query'),
    header: named('header'),
    fields: body === undefined ? null : fieldsOf(body.schema),
    statuses: new Set(Object.keys(described.responses).map(Number)),
  };
});

function resolved<T extends { readonly $ref?: string }>(value: T): T {
  if (value.$ref === undefined) return value;
  const steps = value.$ref.split('/').slice(1);
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], DOCUMENT) as T;
}

function fieldsOf(schema: Schema, prefix = ''): readonly string[] {
  return Object.entries(resolved(schema).properties ?? {}).flatMap(([name, field]) => [
    prefix + name,
    ...fieldsOf(field, `${prefix}${name}.`),
  ]);
}
