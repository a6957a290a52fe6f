import { perFamily } from '../project/family.ts';
import { FAMILIES, type Family } from '../vocabulary/vocabulary.ts';

/** The versions of what a plan has read. */
export interface Base {
  readonly families: Readonly<Record<Family, FamilyBase>>;
  /** The highest registry version of the plugins. */
  readonly plugins: number;
}

interface FamilyBase {
  readonly listVersion: number;
  /** The id of the last history entry, after which later changes are found; 0 if there is none. */
  readonly entry: number;
}

const NUMBERS = new RegExp(String.raw`^\d{1,15}(?:\.\d{1,15}){${2 * FAMILIES.length}}$`);

export function baseText({ families, plugins }: Base): string {
  const versions = FAMILIES.flatMap((family) => [families[family].listVersion, families[family].entry]);
  return [...versions, plugins].join('.');
}

export function parseBase(text: string): Base | null {
  if (!NUMBERS.test(text)) return null;
  const versions = text.split('.').map(Number);
  const families = perFamily((family) => {
    const at = 2 * FAMILIES.indexOf(family);
    return { listVersion: versions[at] ?? 0, entry: versions[at + 1] ?? 0 };
  });
  return { families, plugins: versions.at(-1) ?? 0 };
}
