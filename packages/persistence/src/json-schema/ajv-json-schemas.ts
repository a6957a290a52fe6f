import vm from 'node:vm';
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
import { RE2JS } from 're2js';

const CACHED_MAX = 200;
const ERRORS_MAX = 100;
const COMPILE_MAX_MS = 3000;
const JUDGE_MAX_MS = 1000;
/** The product of the lengths of a schema and a value that need no time limit, unless the schema has one of the keywords below. */
const QUICK_PRODUCT = 1_000_000;
/** Their cost may grow faster than the value. */
const COSTLY = /"\$(?:ref|dynamicRef)":/;

/** Patterns take linear time. Rejects those that are not of RE2. */
const linear = Object.assign((pattern: string) => RE2JS.compile(RE2JS.translateRegExp(pattern)), {
  code: 'linear',
});

/** Takes linear time, unlike the one that it replaces. */
const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must NOT have duplicate items' },
  validate: (isUnique: boolean, items: readonly Json[]) =>
    !isUnique || new Set(items.map(canonicalJson)).size === items.length,
};

const compiled = new LRUCache<string, ValidateFunction>({ max: CACHED_MAX });

/** Compiles each schema once. References to other documents do not resolve. */
function compile(schema: JsonObject): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
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
  compiled.set(text, validate);
  return validate;
}

const limited = vm.createContext();
const callWork = new vm.Script('work()');

/** Runs synchronous work, and throws once it has blocked the process for too long. */
function withinTime(maxMs: number, work: () => unknown): void {
  limited['work'] = work;
  callWork.runInContext(limited, { timeout: maxMs });
}

/** Judges a value. Throws if that takes too long, or the schema recurs too deep. */
function judge(validate: ValidateFunction, schema: JsonObject, value: Json): void {
  const text = JSON.stringify(schema);
  const isQuick = !COSTLY.test(text) && text.length * JSON.stringify(value).length <= QUICK_PRODUCT;
  if (isQuick) validate(value);
  else withinTime(JUDGE_MAX_MS, () => validate(value));
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
      withinTime(COMPILE_MAX_MS, () => compile(schema));
    } catch (error) {
      throw rejected(error instanceof Error ? error.message : String(error));
    }
  },
  errors(schema, value, prefix) {
    const validate = compile(schema);
    try {
      judge(validate, schema, value);
    } catch {
      return [
        invalidInput(
          prefix,
          'The JSON Schema cannot judge this value: it takes too long, or recurs too deep.',
        ),
      ];
    }
    return (validate.errors ?? []).slice(0, ERRORS_MAX).map((error) => describe(error, prefix));
  },
};

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
