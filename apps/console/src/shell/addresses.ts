/** The two families of records, as addresses and headings name them. */
export const FAMILIES = {
  plugin_configs: 'Plugins',
  pipeline_transformation_configs: 'Transformations',
} as const;

export type Family = keyof typeof FAMILIES;

/** The records of one family in a project. */
export interface FamilyRef {
  readonly projectId: number;
  readonly family: Family;
}

export interface RecordRef extends FamilyRef {
  readonly id: number;
}

/** The family that an address names; null if it names none. */
export function familyRefOf(project: string, family: string): FamilyRef | null {
  const projectId = idOf(project);
  return projectId !== null && isFamily(family) ? { projectId, family } : null;
}

export function recordRefOf(project: string, family: string, id: string): RecordRef | null {
  const ref = familyRefOf(project, family);
  const number = idOf(id);
  return ref === null || number === null ? null : { ...ref, id: number };
}

/** The id that a part of an address is; null if it is none. */
export function idOf(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

export const familyPath = ({ projectId, family }: FamilyRef): string => `/projects/${projectId}/${family}`;

export const attachPath = (ref: FamilyRef): string => `${familyPath(ref)}/attach`;

export const recordPath = (ref: RecordRef): string => `${familyPath(ref)}/${ref.id}`;

function isFamily(text: string): text is Family {
  return Object.hasOwn(FAMILIES, text);
}
