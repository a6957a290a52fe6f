import {
  canonicalJson,
  DomainError,
  invalidInput,
  JSON_SCHEMA_MAX_BYTES,
  type Json,
  type JsonObject,
  type JsonSchemas,
} from '@plugin-config/domain';
import {
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { linearPattern, splitPattern } from './linear-pattern.ts';
import { schemaSize } from './schema-size.ts';

const CACHED_MAX = 200;
const ERRORS_MAX = 100;
const SIZE_MAX = 20_000;
/** How much work a value may be: the size of its schema by its characters, and by its parts, each of which may have as many errors. */
const WORK_MAX = { characters: 100_000_000, parts: 500_000 } as const;

const linear = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linear' });

/** Takes linear time, unlike the one that it replaces. */
const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must NOT have duplicate items' },
  validate: (isUnique: boolean, items: readonly Json[]) =>
    !isUnique || new Set(items.map(canonicalJson)).size === items.length,
};

interface Compiled {
  readonly size: number;
  readonly validate: ValidateFunction;
}

const compiled = new LRUCache<string, Compiled>({ max: CACHED_MAX });

/** Compiles each schema once. Throws if the service cannot use it. */
function compile(schema: JsonObject): Compiled {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const size = schemaSize(schema, SIZE_MAX);
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    logger: false,
    // Copies could make the code of a schema thousands of times as long as the schema.
    inlineRefs: false,
    code: { regExp: linear },
  });
  const validate = ajv.removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS).compile(schema);
  const usable = { size, validate };
  compiled.set(text, usable);
  return usable;
}

export const jsonSchemas: JsonSchemas = {
  check(schema, { attr, subject }) {
    const rejected = (reason: string): DomainError =>
      invalidInput(attr, `${subject} is no JSON Schema that the service can use. ${reason}`);
    if (Buffer.byteLength(JSON.stringify(schema)) > JSON_SCHEMA_MAX_BYTES)
      throw rejected('It has more than 64 KiB.');
    // It would accept everything, and reject a promise that nobody awaits.
    if (schema['$async'] !== undefined) throw rejected('It may have no "$async".');
    try {
      compile(schema);
    } catch (error) {
      throw rejected(reasonOf(error));
    }
  },
  errors(schema, value, prefix) {
    const { size, validate } = compile(schema);
    if (size * JSON.stringify(value).length > WORK_MAX.characters || size * partsOf(value) > WORK_MAX.parts)
      return [invalidInput(prefix, 'This is too large for its JSON Schema.')];
    validate(value);
    return (validate.errors ?? []).slice(0, ERRORS_MAX).map((error) => describe(error, prefix));
  },
  pattern(source, attr) {
    try {
      return splitPattern(source);
    } catch (error) {
      throw invalidInput(attr, `The service cannot use the pattern ${source}. ${reasonOf(error)}`);
    }
  },
};

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Counts a value, and all that is in it. */
function partsOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + partsOf(part), 1);
}

interface Params {
  readonly additionalProperty?: string;
  readonly missingProperty?: string;
  readonly allowedValues?: readonly Json[];
}

function describe({ instancePath, message = '', params }: ErrorObject, prefix: string): DomainError {
  const { additionalProperty, missingProperty, allowedValues } = params as Params;
  const names = instancePath.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const attr = prefix + names.join('.');
  if (missingProperty !== undefined)
    return new DomainError('required', 'This field is required.', { attr: `${attr}.${missingProperty}` });
  const shown = additionalProperty ?? allowedValues;
  const more = shown === undefined ? '' : `: ${JSON.stringify(shown)}`;
  return invalidInput(attr, `This ${message}${more}.`);
}
