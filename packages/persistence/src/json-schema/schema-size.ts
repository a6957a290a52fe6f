import type { Json, JsonObject } from '@plugin-config/domain';
import { linearPattern } from './linear-pattern.ts';

/** The work of one instruction of a pattern, compared with that of another part of a schema. */
const INSTRUCTION = 10;

/** Keywords of references that cannot be followed without the value, or by other means than `$ref`. */
const UNKNOWN_REFERENCES = /"(\$(?:anchor|dynamicAnchor|dynamicRef|recursiveRef))":/;

/**
 * Returns how much work a schema can be for each character of a value: its parts, each as often as it is referred to, and the
 * instructions of its patterns.
 * @throws Error if that is more than `max`, or cannot be known
 */
export function schemaSize(schema: JsonObject, max: number): number {
  const unknown = UNKNOWN_REFERENCES.exec(JSON.stringify(schema))?.[1];
  if (unknown !== undefined) throw new Error(`It may have no "${unknown}".`);
  const sizes = new Map<Json, number>();
  const open = new Set<Json>();
  const within = (size: number): number => {
    if (size > max)
      throw new Error('It has too many parts, with those that it refers to, or too large patterns.');
    return size;
  };
  const sizeOf = (part: Json): number => {
    if (typeof part !== 'object' || part === null) return 1;
    const known = sizes.get(part);
    if (known !== undefined) return known;
    if (open.has(part)) throw new Error('It may not refer to itself.');
    open.add(part);
    let size = 1;
    for (const [name, value] of Object.entries(part))
      size = within(size + sizeOf(value) + workOf(name, value));
    open.delete(part);
    sizes.set(part, size);
    return size;
  };
  /** The work of a keyword besides that of its parts. */
  const workOf = (name: string, value: Json): number => {
    if (name === '$ref' && typeof value === 'string') return sizeOf(partAt(schema, value));
    if (name === 'pattern' && typeof value === 'string') return patternSize(value);
    if (name !== 'patternProperties' || typeof value !== 'object' || value === null) return 0;
    return Object.keys(value).reduce((size, pattern) => within(size + patternSize(pattern)), 0);
  };
  return sizeOf(schema);
}

function patternSize(pattern: string): number {
  return linearPattern(pattern).programSize() * INSTRUCTION;
}

/** Returns the part of a schema that a pointer such as `#/$defs/server` leads to. */
function partAt(schema: JsonObject, reference: string): Json {
  const [document, ...names] = reference.split('/');
  let part: Json | undefined = document === '#' ? schema : undefined;
  for (const name of names) {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    part =
      typeof part === 'object' && part !== null && Object.hasOwn(part, key)
        ? (part as JsonObject)[key]
        : undefined;
  }
  if (part === undefined)
    throw new Error(`It cannot refer to "${reference}", only to its own parts, such as "#/$defs/server".`);
  return part;
}
