import { DomainError } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import { FAMILIES, type Family } from '../project/family.ts';

/** The maximum number of records in a declaration. */
export const DECLARED_MAX = 10_000;

/** What a manager wants of one record, in the names of the document's format. What is absent is not managed. */
export interface DeclaredRecord {
  /** Names the record; unique within project, family and manager. */
  readonly key: string;
  readonly plugin: number;
  readonly enabled?: boolean | undefined;
  /** Null clears it, as it does the description and an entry of the configuration. */
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** Entries that are absent are not managed. */
  readonly config?: JsonObject | undefined;
  /** Rejects every plan that would delete the record. */
  readonly prevent_destroy?: boolean | undefined;
  /** The key that the record had so far. */
  readonly moved_from?: string | undefined;
}

/** What a manager wants its records to be: on the wire, the `document`. A family that is absent stays as it is. */
export type Declaration = {
  readonly manager: string;
} & { readonly [F in Family]?: readonly DeclaredRecord[] | undefined };

/** The families of a declaration. */
export function declaredFamilies(declaration: Declaration): readonly Family[] {
  return FAMILIES.filter((family) => declaration[family] !== undefined);
}

/** The place of a declared record in the document, as errors tell it. */
export function pathOf(family: Family, index: number): string {
  return `${family}[${index}]`;
}

/** Rejects what no state of a project could satisfy. */
export function checkDeclaration(declaration: Declaration): void {
  const count = declaredFamilies(declaration).reduce((sum, of) => sum + (declaration[of]?.length ?? 0), 0);
  if (count > DECLARED_MAX) {
    const limit = DECLARED_MAX.toLocaleString('en');
    throw new DomainError('invalid_input', `A document has no more than ${limit} records.`, {
      attr: 'document',
    });
  }
  for (const family of declaredFamilies(declaration)) checkKeys(family, declaration[family] ?? []);
}

function checkKeys(family: Family, records: readonly DeclaredRecord[]): void {
  const keys = new Set<string>();
  const left = new Set<string>();
  for (const [index, { key, moved_from: movedFrom }] of records.entries()) {
    if (keys.has(key)) throw twice(`${pathOf(family, index)}.key`, key);
    keys.add(key);
    if (movedFrom === undefined) continue;
    if (left.has(movedFrom)) throw twice(`${pathOf(family, index)}.moved_from`, movedFrom);
    left.add(movedFrom);
  }
  const index = records.findIndex(
    ({ moved_from: movedFrom }) => movedFrom !== undefined && keys.has(movedFrom),
  );
  if (index === -1) return;
  throw new DomainError('invalid_input', 'A record of the document still has this key.', {
    attr: `${pathOf(family, index)}.moved_from`,
  });
}

function twice(attr: string, key: string): DomainError {
  return new DomainError('invalid_input', `The key "${key}" occurs twice in this family.`, { attr });
}
