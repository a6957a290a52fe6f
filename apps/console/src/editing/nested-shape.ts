import type { Json, JsonObject } from '@plugin-config/client';
import { localTimeOf } from '../ui/format.ts';
import { numberProblem, parseJson, type Field } from './field.ts';

/** The text of an input, and the JSON that it stands for, which is invalid if there is a problem. */
export class Typed {
  readonly text: string;
  readonly problem: string | undefined;
  readonly json: string;

  constructor(text: string, problem: string | undefined, json: string) {
    this.text = text;
    this.problem = problem;
    // In parentheses, so that no text becomes valid by what is around it.
    this.json = problem === undefined ? json : `(${text})`;
  }
}

interface TreeObject {
  readonly [key: string]: Tree;
}

/** A value, as far as it has been entered. */
export type Tree = Json | Typed | readonly Tree[] | TreeObject;

/** A property of an object. */
interface Part {
  readonly key: string;
  readonly required: boolean;
  readonly schema: JsonObject;
}

type Leaf = Pick<Field, 'type' | 'choices' | 'choiceLabels' | 'isTime'>;

/** How a value is edited. The `tag` is the property that decides on the others. */
export type Shape =
  | { readonly kind: 'leaf'; readonly leaf: Leaf }
  | { readonly kind: 'list'; readonly item: JsonObject; readonly min: number; readonly max: number }
  | { readonly kind: 'object'; readonly parts: readonly Part[]; readonly tag?: string };

const AS_JSON: Shape = { kind: 'leaf', leaf: { type: 'json' } };

/** Keywords that say more about a value than a form shows. */
const BEYOND_FORMS = ['anyOf', 'allOf', 'patternProperties', 'prefixItems'];

/** Returns how a value is edited: as JSON if its schema is beyond forms, or the value is of another kind. */
export function shapeOf(schema: JsonObject, value?: Tree): Shape {
  const shape = shapeOfSchema(schema, value);
  return value === undefined || fits(shape, value) ? shape : AS_JSON;
}

function shapeOfSchema(schema: JsonObject, value: Tree | undefined): Shape {
  const { type, properties, items, oneOf, format, minItems, maxItems } = schema;
  if (BEYOND_FORMS.some((keyword) => keyword in schema)) return AS_JSON;
  const leaf = choiceOf(schema);
  if (leaf !== null) return { kind: 'leaf', leaf };
  if (oneOf !== undefined) return variantShape(schema, value);
  if (isObject(properties)) return { kind: 'object', parts: partsOf(schema) };
  if (type === 'array' && isObject(items))
    return { kind: 'list', item: items, min: Number(minItems ?? 0), max: Number(maxItems ?? Infinity) };
  if (type === 'string') return { kind: 'leaf', leaf: { type, isTime: format === 'date-time' } };
  if (type === 'boolean') return { kind: 'leaf', leaf: { type } };
  return type === 'integer' || type === 'number' ? { kind: 'leaf', leaf: { type: 'number' } } : AS_JSON;
}

function fits(shape: Shape, value: Tree): boolean {
  if (shape.kind === 'object') return isObject(value);
  if (shape.kind === 'list') return Array.isArray(value);
  const { type, isTime } = shape.leaf;
  if (type === 'json' || (type === 'number' && value instanceof Typed)) return true;
  if (type !== 'string') return typeof value !== 'object';
  return typeof value === 'string' && (isTime !== true || localTimeOf(value) !== '');
}

/** Returns a choice between scalars: the `const`, those of `enum`, or the constant of each `oneOf`. */
function choiceOf(schema: JsonObject): Leaf | null {
  const { const: only, enum: values } = schema;
  const options = optionsOf(schema);
  const constants = options.map((option) => option['const'] ?? null);
  const choices =
    only !== undefined ? [only] : Array.isArray(values) ? (values as readonly Json[]) : constants;
  if (choices.length === 0 || choices.some((choice) => typeof choice === 'object')) return null;
  return { type: 'choice', choices, choiceLabels: options.map(titleOf) };
}

/** Objects that a constant tells apart: the object with this constant has the other properties. */
function variantShape(schema: JsonObject, value: Tree | undefined): Shape {
  const variants = optionsOf(schema).map((variant) => {
    const parts = partsOf(variant);
    const constants = new Map(parts.map((part) => [part.key, part.schema['const']]));
    return { title: titleOf(variant), parts, constants };
  });
  const [first] = variants;
  const tagPart = first?.parts.find(({ key }) => {
    const constants = variants.map((variant) => variant.constants.get(key));
    return new Set(constants).size === variants.length && constants.every((one) => typeof one === 'string');
  });
  if (tagPart === undefined) return AS_JSON;
  const tag = tagPart.key;
  const oneOf = variants.map(({ title = null, constants }) => ({ title, const: constants.get(tag) ?? null }));
  const { const: _const, enum: _enum, ...texts } = tagPart.schema;
  const chosen = variants.find(({ constants }) => isObject(value) && constants.get(tag) === value[tag]);
  const others = new Map(
    [...partsOf(schema), ...(chosen?.parts ?? [])].map((part) => [part.key, part] as const),
  );
  others.delete(tag);
  return {
    kind: 'object',
    tag,
    parts: [{ ...tagPart, required: true, schema: { ...texts, oneOf } }, ...others.values()],
  };
}

const optionsOf = ({ oneOf }: JsonObject): readonly JsonObject[] =>
  Array.isArray(oneOf) ? (oneOf as readonly Json[]).map((one) => (isObject(one) ? one : {})) : [];

function partsOf({ properties, required }: JsonObject): readonly Part[] {
  return Object.entries(isObject(properties) ? properties : {}).map(([key, property]) => ({
    key,
    required: Array.isArray(required) && required.includes(key),
    schema: isObject(property) ? property : {},
  }));
}

/** Returns what a schema says of its values to people. */
export function textsOf(
  schema: JsonObject,
  label: string,
): Pick<Field, 'label'> & Partial<Pick<Field, 'hint' | 'default'>> {
  const { description, default: given } = schema;
  return {
    label: titleOf(schema) ?? label,
    ...(typeof description === 'string' && { hint: description }),
    ...(given !== undefined && { default: given }),
  };
}

const titleOf = ({ title }: JsonObject): string | undefined =>
  typeof title === 'string' ? title : undefined;

/** Returns a schema with what its references lead to in their place. The service accepts none that lead to themselves. */
export function withoutReferences({ $defs, ...root }: JsonObject): JsonObject {
  const inlined = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(inlined);
    if (!isObject(part)) return part;
    const { $ref, ...own } = part;
    const target = typeof $ref === 'string' ? inlined(partAt({ ...root, $defs: $defs ?? {} }, $ref)) : null;
    const entries = Object.entries(own).map(([key, value]) => [key, inlined(value)] as const);
    return { ...(isObject(target) ? target : {}), ...Object.fromEntries(entries) };
  };
  return inlined(root) as JsonObject;
}

function partAt(root: JsonObject, reference: string): Json {
  const keys = reference.split('/').slice(1);
  return keys
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json>((part, key) => (part as JsonObject | null)?.[key] ?? {}, root);
}

/** Returns what a new value begins with: defaults, constants, and what is required in an object; undefined for nothing. */
function startOf(schema: JsonObject): Tree | undefined {
  const { default: given, const: only } = schema;
  if (given !== undefined || only !== undefined) return given ?? only;
  const shape = shapeOf(schema);
  return shape.kind === 'object' ? startOfParts(shape.parts) : undefined;
}

function startOfParts(parts: readonly Part[]): TreeObject {
  const entries = parts.flatMap(({ key, required, schema }) => {
    const start = required || schema['default'] !== undefined ? startOf(schema) : undefined;
    return start === undefined ? [] : [[key, start] as const];
  });
  return Object.fromEntries(entries);
}

export const newItem = (schema: JsonObject): Tree => startOf(schema) ?? emptyItem(schema);

/** Returns an item of a list without input: an item always has a value. */
export function emptyItem(schema: JsonObject): Tree {
  const shape = shapeOf(schema);
  if (shape.kind !== 'leaf') return shape.kind === 'list' ? [] : {};
  const { type, choices: [first = ''] = [] } = shape.leaf;
  const empty = { string: '', boolean: false, choice: first, number: typedNumber(''), json: typedJson('') };
  return empty[type];
}

/** Returns an object with another value of a property. Another tag removes what only the former variant had. */
export function withPart(
  schema: JsonObject,
  object: TreeObject,
  key: string,
  value: Tree | undefined,
): TreeObject {
  const { [key]: _, ...others } = object;
  const changed = value === undefined ? others : { ...object, [key]: value };
  const [before, after] = [shapeOf(schema, object), shapeOf(schema, changed)];
  if (before.kind !== 'object' || after.kind !== 'object' || key !== after.tag) return changed;
  const known = new Set(after.parts.map((part) => part.key));
  const removed = new Set(before.parts.map((part) => part.key).filter((name) => !known.has(name)));
  const kept = Object.entries(changed).filter(([name]) => !removed.has(name));
  return { ...startOfParts(after.parts), ...Object.fromEntries(kept) };
}

/** Returns the text of an input with a value. */
export function inputText(value: Tree | undefined, type: Leaf['type']): string {
  if (value === undefined) return '';
  if (value instanceof Typed) return value.text;
  return typeof value === 'string' && (type === 'string' || type === 'number') ? value : textOf(value);
}

/** Returns the value that the text of an input stands for; undefined for none. */
export function inputValue(text: string, type: Leaf['type']): Tree | undefined {
  if (text === '' || type === 'string') return text || undefined;
  if (type === 'number') return typedNumber(text);
  return type === 'json' ? typedJson(text) : (JSON.parse(text) as Json);
}

function typedNumber(text: string): Tree {
  const source = text.trim();
  const json = String(Number(source));
  return json === text ? Number(text) : new Typed(text, numberProblem(source), json);
}

function typedJson(text: string): Typed {
  const parsed = parseJson(text);
  return new Typed(text, 'problem' in parsed ? parsed.problem : undefined, text);
}

/** Returns the value of an entry; undefined for none. */
export function treeIn(text: string): Tree | undefined {
  if (text === '') return undefined;
  const parsed = parseJson(text);
  return 'problem' in parsed ? typedJson(text) : parsed.value;
}

/** Returns a value as JSON, which is invalid if something typed is. */
export function textOf(tree: Tree, line = '\n'): string {
  if (tree instanceof Typed) return tree.json;
  if (typeof tree !== 'object' || tree === null) return JSON.stringify(tree);
  const inner = `${line}  `;
  const parts = isList(tree)
    ? tree.map((item) => textOf(item, inner))
    : Object.entries(tree).map(([key, part]) => `${JSON.stringify(key)}: ${textOf(part, inner)}`);
  const [start, end] = isList(tree) ? '[]' : '{}';
  return parts.length === 0 ? `${start}${end}` : `${start}${inner}${parts.join(`,${inner}`)}${line}${end}`;
}

/** Whether something typed in a value is a problem. */
export function hasProblem(tree: Tree | undefined): boolean {
  if (tree instanceof Typed) return tree.problem !== undefined;
  return typeof tree === 'object' && tree !== null && Object.values(tree).some(hasProblem);
}

export const isList = (tree: Tree | undefined): tree is readonly Tree[] => Array.isArray(tree);

export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: Tree | undefined): value is TreeObject;
export function isObject(value: Tree | undefined): boolean {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Typed);
}
