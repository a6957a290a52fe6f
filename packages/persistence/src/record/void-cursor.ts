import { REGISTRY_VERSION } from '../configuration/registrations.ts';

interface Cursor {
  /** Two expressions: the project and the family. */
  readonly family: string;
  readonly registryVersion: string;
  /** Two expressions: the family version and the id up to which the reader has all records. */
  readonly position: string;
}

/**
 * SQL for the condition that a record up to the cursor now looks different because its plugin was registered or removed. Records
 * that were changed after the cursor do not matter: they are read again anyway.
 */
export function isVoidCursor({ family, registryVersion, position }: Cursor): string {
  // The `case` keeps PostgreSQL from searching records unless the registry version has changed.
  return `case when ${REGISTRY_VERSION} > ${registryVersion} then exists (
    select from plugin p where p.registry_version > ${registryVersion} and exists (
      select from config_record a
      where a.plugin = p.id and (a.project_id, a.family) = (${family}) and (a.family_version, a.id) <= (${position})
    )
  ) else false end`;
}
