import { invalidInput } from '../kernel/domain-error.ts';
import { TIMELINE_ID, type TimelineId } from '../kernel/timeline.ts';
import { perFamily } from '../project/family.ts';
import { FAMILIES, type Family } from '../vocabulary/vocabulary.ts';

/** The versions of what a plan has read. */
export interface Base {
  readonly timelineId: TimelineId;
  readonly families: Readonly<Record<Family, FamilyBase>>;
  /** The highest registry version of the plugins. */
  readonly plugins: number;
}

interface FamilyBase {
  readonly listVersion: number;
  /** The id of the last history entry, after which later changes are found; 0 if there is none. */
  readonly entry: number;
}

const NUMBER = String.raw`\.(\d{1,15})`;
const FORM = new RegExp(`^(${TIMELINE_ID})${NUMBER.repeat(2 * FAMILIES.length + 1)}$`);

export function baseText({ timelineId, families, plugins }: Base): string {
  const versions = FAMILIES.flatMap((family) => [families[family].listVersion, families[family].entry]);
  return [timelineId, ...versions, plugins].join('.');
}

export function parseBase(text: string): Base {
  const [, timelineId = '', ...numbers] = FORM.exec(text) ?? [];
  if (timelineId === '') throw invalidInput('base', 'This is not the base of a plan.');
  const versions = numbers.map(Number);
  const families = perFamily((family) => {
    const at = 2 * FAMILIES.indexOf(family);
    return { listVersion: versions[at] ?? 0, entry: versions[at + 1] ?? 0 };
  });
  return { timelineId, families, plugins: versions.at(-1) ?? 0 };
}
