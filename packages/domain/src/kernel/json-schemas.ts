import type { DomainError } from './domain-error.ts';
import type { Json, JsonObject } from './json.ts';

export interface JsonSchemas {
  /**
   * Rejects a schema that the service cannot use.
   * @throws DomainError `invalid_input` with this `attr`, and a message that begins with the `subject`
   */
  check(schema: JsonObject, rejected: { readonly attr: string; readonly subject: string }): void;
  /** Returns what is wrong with a value. `attr` is the path of each error, from `prefix` on. */
  errors(schema: JsonObject, value: Json, prefix: string): readonly DomainError[];
}
