import type { DomainError } from './domain-error.ts';
import type { Json, JsonObject } from './json.ts';

/** A regular expression with named groups, which takes linear time. */
export interface Pattern {
  readonly groups: readonly string[];
  /** Returns the text of each group; null if the pattern does not match the whole text. */
  split(text: string): ReadonlyMap<string, string> | null;
}

export interface JsonSchemas {
  /**
   * Rejects a schema that the service cannot use.
   * @throws DomainError `invalid_input` with this `attr`, and a message that begins with the `subject`
   */
  check(schema: JsonObject, rejected: { readonly attr: string; readonly subject: string }): void;
  /** Returns what is wrong with a value. `attr` is the path of each error, from `prefix` on. */
  errors(schema: JsonObject, value: Json, prefix: string): readonly DomainError[];
  /**
   * Returns a pattern of the syntax that schemas have.
   * @throws DomainError `invalid_input` with this `attr` if the service cannot use it
   */
  pattern(source: string, attr: string): Pattern;
}
