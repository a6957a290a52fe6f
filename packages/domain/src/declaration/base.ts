import { invalidInput } from '../kernel/domain-error.ts';
import { TIMELINE_ID, type TimelineId } from '../kernel/timeline.ts';
import { perFamily } from '../project/family.ts';
import { FAMILIES, type Family } from '../vocabulary/vocabulary.ts';

/** The state of a project on which a plan is based. */
export interface Base {
  readonly timelineId: TimelineId;
  /** The id of the last history entry of each family; 0 if there is none. */
  readonly entries: Readonly<Record<Family, number>>;
}

const ENTRY = String.raw`\.(\d{1,15})`;
const FORM = new RegExp(`^(${TIMELINE_ID})${ENTRY.repeat(FAMILIES.length)}$`);

export function baseText({ timelineId, entries }: Base): string {
  return [timelineId, ...FAMILIES.map((family) => entries[family])].join('.');
}

export function parseBase(text: string): Base {
  const [, timelineId = '', ...entries] = FORM.exec(text) ?? [];
  if (timelineId === '') {
    throw invalidInput('base', 'This is not the base of a plan.');
  }
  return { timelineId, entries: perFamily((family) => Number(entries[FAMILIES.indexOf(family)])) };
}
