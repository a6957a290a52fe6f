import { invalidInput, type DomainError } from '../kernel/domain-error.ts';
import { checkNumbers, type JsonObject } from '../kernel/json.ts';
import { DECLARED_MAX, FAMILIES, type Family, type RecordText } from '../vocabulary/vocabulary.ts';

/** Null clears a text. */
type DeclaredTexts = { readonly [T in RecordText]?: string | null | undefined };

/** The desired state of one record, with the field names of the document format. Absent fields are not managed. */
export interface DeclaredRecord<Plugin = number> extends DeclaredTexts {
  /** Identifies the record; unique within project, family and manager. */
  readonly key: string;
  readonly plugin: Plugin;
  /** The version that the record is pinned to; null for none. */
  readonly plugin_version?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  /** Absent entries are not managed, and null clears an entry. */
  readonly config?: JsonObject | undefined;
  /** Rejects any plan that would delete the record. */
  readonly prevent_destroy?: boolean | undefined;
}

/** The desired state of a manager's records; on the wire, the `document`. Absent families are left unchanged. */
export type Declaration<Plugin = number> = {
  readonly manager: string;
} & { readonly [F in Family]?: readonly DeclaredRecord<Plugin>[] | undefined };

export function declaredFamilies<Plugin>(declaration: Declaration<Plugin>) {
  return FAMILIES.flatMap((family) => {
    const records = declaration[family];
    return records === undefined ? [] : [{ family, records }];
  });
}

/** Returns the path of a declared record in the document, as used in errors. */
export function pathOf(family: Family, index: number): string {
  return `${family}[${index}]`;
}

export function tooManyRecords(attr: string): DomainError {
  const limit = DECLARED_MAX.toLocaleString('en');
  return invalidInput(attr, `A manager may own no more than ${limit} records.`);
}

/** Rejects declarations that no state of a project could satisfy. */
export function checkDeclaration<Plugin>(declaration: Declaration<Plugin>): void {
  const families = declaredFamilies(declaration);
  if (families.reduce((sum, { records }) => sum + records.length, 0) > DECLARED_MAX)
    throw tooManyRecords('document');
  for (const { family, records } of families) {
    const keys = new Set<string>();
    for (const [index, { key, config = {} }] of records.entries()) {
      const path = pathOf(family, index);
      if (keys.has(key)) throw invalidInput(`${path}.key`, `The key "${key}" occurs twice in this family.`);
      keys.add(key);
      // Another thread would not recognise inexact numbers.
      for (const [entry, value] of Object.entries(config)) checkNumbers(value, `${path}.config.${entry}`);
    }
  }
}
