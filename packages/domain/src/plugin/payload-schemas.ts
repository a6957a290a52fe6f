import type { DomainError } from '../kernel/domain-error.ts';
import type { Json, JsonObject } from '../kernel/json.ts';

/** Judges payloads by JSON Schemas. */
export interface PayloadSchemas {
  /** @throws DomainError `invalid_input` if the service cannot use the schema */
  check(schema: JsonObject): void;
  /** Returns what is wrong with a payload. `attr` is the path of each error, from `prefix` on. */
  errors(schema: JsonObject, payload: Json, prefix: string): readonly DomainError[];
}
