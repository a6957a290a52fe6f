import { DomainError } from '../kernel/domain-error.ts';
import { TIMELINE_ID, type TimelineId } from '../kernel/timeline.ts';
import { FAMILIES, perFamily, type Family } from '../project/family.ts';

/** The current versions of a family. */
export interface FamilyMark {
  /** Decides whether a plan is still current. Not bumped by what plugins report. */
  readonly listVersion: number;
  readonly familyVersion: number;
  /** The id of the last entry in the histories of its records; 0 if there is none. */
  readonly entry: number;
}

/** The state of both families of a project on which a plan is based. */
export interface Base {
  readonly timelineId: TimelineId;
  readonly marks: Readonly<Record<Family, FamilyMark>>;
}

const MARK = String.raw`(\d{1,15})-(\d{1,15})-(\d{1,15})`;
const FORM = new RegExp(`^(${TIMELINE_ID})${FAMILIES.map(() => String.raw`\.` + MARK).join('')}$`);

export function baseText({ timelineId, marks }: Base): string {
  const texts = FAMILIES.map((family) => {
    const { listVersion, familyVersion, entry } = marks[family];
    return `${listVersion}-${familyVersion}-${entry}`;
  });
  return [timelineId, ...texts].join('.');
}

export function parseBase(text: string): Base {
  const [, timelineId = '', ...numbers] = FORM.exec(text) ?? [];
  if (timelineId === '') {
    throw new DomainError('invalid_input', 'This is not the base of a plan.', { attr: 'base' });
  }
  const markOf = (family: Family): FamilyMark => {
    const [listVersion = 0, familyVersion = 0, entry = 0] = numbers
      .slice(3 * FAMILIES.indexOf(family))
      .map(Number);
    return { listVersion, familyVersion, entry };
  };
  return { timelineId, marks: perFamily(markOf) };
}

/** Whether records of these families changed between two states. */
export function hasChanged(families: readonly Family[], before: Base, now: Base): boolean {
  return (
    before.timelineId !== now.timelineId ||
    families.some((family) => before.marks[family].listVersion !== now.marks[family].listVersion)
  );
}
