import {
  invalidInput,
  JOB_LIMITS,
  type DomainError,
  type Json,
  type JsonObject,
  type PayloadSchemas,
} from '@plugin-config/domain';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';

const CACHED_MAX = 200;
/** A regular expression can take for ever. */
const PATTERNS = new Set(['pattern', 'patternProperties']);

/** Compiles each schema once. References to other documents do not resolve. */
export function ajvPayloadSchemas(): PayloadSchemas {
  const compiled = new LRUCache<string, ValidateFunction>({ max: CACHED_MAX });
  const compile = (schema: JsonObject): ValidateFunction => {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    if (known !== undefined) return known;
    const validate = new Ajv2020({
      strict: false,
      allErrors: true,
      validateFormats: false,
      logger: false,
    }).compile(schema);
    compiled.set(text, validate);
    return validate;
  };
  return {
    check(schema) {
      if (JSON.stringify(schema).length > JOB_LIMITS.bytes) throw rejected('It has more than 64 KiB.');
      if (hasPattern(schema)) throw rejected('It may have no "pattern" or "patternProperties".');
      try {
        compile(schema);
      } catch (error) {
        throw rejected(error instanceof Error ? error.message : String(error));
      }
    },
    errors(schema, payload, prefix) {
      const validate = compile(schema);
      return validate(payload) ? [] : (validate.errors ?? []).map((error) => describe(error, prefix));
    },
  };
}

function describe({ instancePath, message = '', params }: ErrorObject, prefix: string): DomainError {
  const { additionalProperty } = params as { readonly additionalProperty?: string };
  const more = additionalProperty === undefined ? '' : `: ${JSON.stringify(additionalProperty)}`;
  return invalidInput(`${prefix}${instancePath.replaceAll('/', '.')}`, `This ${message}${more}.`);
}

function hasPattern(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => PATTERNS.has(key) || hasPattern(inner));
}

function rejected(reason: string): DomainError {
  return invalidInput('jobs', `The service cannot use this "payload_schema". ${reason}`);
}
