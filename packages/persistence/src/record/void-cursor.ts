import { REGISTRY_VERSION } from '../plugin/plugin-columns.ts';

interface Cursor {
  /** The project and the family, as two expressions. */
  readonly family: string;
  readonly registryVersion: string;
  /** The family version and the id up to which the reader has everything, as two expressions. */
  readonly position: string;
}

/**
 * The SQL of whether a record up to a cursor is shown differently since then, because its plugin was registered or removed. A record
 * that was changed after the cursor is none of them: it is read again anyway.
 */
export function isVoidCursor({ family, registryVersion, position }: Cursor): string {
  // A `case` keeps PostgreSQL from looking for records before the first condition is met.
  return `case when ${REGISTRY_VERSION} > ${registryVersion} then exists (
    select from plugin p where p.registry_version > ${registryVersion} and exists (
      select from config_record a
      where a.plugin = p.id and (a.project_id, a.family) = (${family}) and (a.family_version, a.id) <= (${position})
    )
  ) else false end`;
}
