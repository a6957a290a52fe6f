import { DomainError } from '../kernel/domain-error.ts';
import { LINEAGE, type Lineage } from '../kernel/lineage.ts';
import { FAMILIES, perFamily, type Family } from '../project/family.ts';

/** How far a family has changed. */
export interface FamilyMark {
  /** Decides whether a plan still holds: what plugins report does not raise it. */
  readonly listVersion: number;
  readonly revision: number;
  /** The last entry in the histories of its records; 0 if there is none. */
  readonly entry: number;
}

/** The state of both families of a project that a plan was made of. */
export interface Base {
  readonly lineage: Lineage;
  readonly marks: Readonly<Record<Family, FamilyMark>>;
}

const MARK = String.raw`(\d{1,15})-(\d{1,15})-(\d{1,15})`;
const FORM = new RegExp(`^(${LINEAGE})${FAMILIES.map(() => String.raw`\.` + MARK).join('')}$`);

export function baseText({ lineage, marks }: Base): string {
  const texts = FAMILIES.map((family) => {
    const { listVersion, revision, entry } = marks[family];
    return `${listVersion}-${revision}-${entry}`;
  });
  return [lineage, ...texts].join('.');
}

export function parseBase(text: string): Base {
  const [, lineage = '', ...numbers] = FORM.exec(text) ?? [];
  if (lineage === '') {
    throw new DomainError('invalid_input', 'This is not the base of a plan.', { attr: 'base' });
  }
  const markOf = (family: Family): FamilyMark => {
    const [listVersion = 0, revision = 0, entry = 0] = numbers
      .slice(3 * FAMILIES.indexOf(family))
      .map(Number);
    return { listVersion, revision, entry };
  };
  return { lineage, marks: perFamily(markOf) };
}

/** Whether records of these families have changed between two states. */
export function hasChanged(families: readonly Family[], before: Base, now: Base): boolean {
  return (
    before.lineage !== now.lineage ||
    families.some((family) => before.marks[family].listVersion !== now.marks[family].listVersion)
  );
}
