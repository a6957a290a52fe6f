/** The families of records by their path segment, with their headings. */
export const FAMILIES = {
  plugin_configs: 'Plugins',
  pipeline_transformation_configs: 'Transformations',
} as const;

export type Family = keyof typeof FAMILIES;

/** The families that screens offer: those that the service names in its page. */
export function shownFamilies(): readonly Family[] {
  const named = document.querySelector<HTMLMetaElement>('meta[name="families"]')?.content.split(' ');
  return (Object.keys(FAMILIES) as readonly Family[]).filter((family) => named?.includes(family) ?? true);
}

/** The records of one family in a project. */
export interface FamilyRef {
  readonly projectId: number;
  readonly family: Family;
}

export interface RecordRef extends FamilyRef {
  readonly id: number;
}

/** Parses the family in an address; null if it is invalid. */
export function familyRefOf(project: string, family: string): FamilyRef | null {
  const projectId = idOf(project);
  return projectId !== null && Object.hasOwn(FAMILIES, family)
    ? { projectId, family: family as Family }
    : null;
}

export function recordRefOf(project: string, family: string, id: string): RecordRef | null {
  const ref = familyRefOf(project, family);
  const number = idOf(id);
  return ref === null || number === null ? null : { ...ref, id: number };
}

/** Parses an id in an address; null if it is invalid. */
export function idOf(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

export const familyPath = ({ projectId, family }: FamilyRef): string => `/projects/${projectId}/${family}`;

export const recordPath = (ref: RecordRef): string => `${familyPath(ref)}/${ref.id}`;

export const projectPath = (projectId: number): string => `/projects/${projectId}`;

/** The address of a screen of a project; the first one is its own. */
export const screenPath = (projectId: number, part: string): string =>
  part === '' ? projectPath(projectId) : `${projectPath(projectId)}/${part}`;

/** The page of a registered plugin. */
export const pluginPath = (plugin: number): string => `/administration/plugins/${plugin}`;

export const versionPath = (plugin: number, version: string): string =>
  `${pluginPath(plugin)}/versions/${encodeURIComponent(version)}`;

/** A screen about all projects, for keys that are not bound to projects. */
export const allProjectsPath = (part: string): string => `/all/${part}`;

/** The alerts of a project; null for the alerts on all projects. */
export const alertsPath = (projectId: number | null): string =>
  projectId === null ? allProjectsPath('alerts') : `${projectPath(projectId)}/alerts`;

export const alertPath = (projectId: number | null, id: number | 'new'): string =>
  `${alertsPath(projectId)}/${id}`;

/** The webhooks of a project; null for the webhooks of all projects. */
export const webhooksPath = (projectId: number | null): string =>
  projectId === null ? allProjectsPath('webhooks') : `${projectPath(projectId)}/webhooks`;

/** The documents of a project, with the records of a manager. */
export const managerPath = (projectId: number, manager: string): string =>
  `/projects/${projectId}/documents?manager=${encodeURIComponent(manager)}`;
