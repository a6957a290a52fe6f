import { REGISTRY_VERSION } from '../configuration/registrations.ts';
import { columns } from '../postgres/columns.ts';

/** The columns of the versions on which responses about a family `f` depend. */
export const VERSIONS = columns((row) => ({
  familyVersion: row.number('f.family_version'),
  registryVersion: row.number(REGISTRY_VERSION),
  listVersion: row.number('f.list_version'),
}));

export const NO_VERSIONS = { familyVersion: 0, registryVersion: 0, listVersion: 0 };

/**
 * SQL for one text, which is faster to parse than many rows: the registry version, then the family versions in the order of the
 * two parameters, 0 for a missing family.
 */
export const VERSIONS_TEXT = (projects: string, families: string): string =>
  `${REGISTRY_VERSION} || ',' || array_to_string(array(
    select (select f.family_version from config_family f where f.project_id = q.project and f.family = q.family)
    from unnest(${projects}::bigint[], ${families}::text[]) with ordinality as q (project, family, number) order by q.number
  ), ',', '0')`;
