import { OPERATOR, type FamilyRef } from '@plugin-config/domain';
import { postgresPorts, type Database } from '../index.ts';

export { TEST_KEYS, TEST_SECRETS_KEYS } from './test-keys.ts';

const EMPTY = '{}';

interface Records {
  readonly records: number;
  /** The plugin of the nth record. Defaults to n. */
  readonly plugin?: (n: number) => number;
  /** The configuration of the nth record as JSON text. Defaults to an empty one. */
  readonly config?: (n: number) => string;
}

/** Adds projects. Resolves to their ids. */
export async function addProjects(database: Database, projects: number): Promise<readonly number[]> {
  const { projects: store } = postgresPorts(database);
  const author = { actor: OPERATOR, requestId: null, at: new Date() };
  const ids: number[] = [];
  for (let n = 1; n <= projects; n++) ids.push((await store.create({ name: `Project ${n}` }, author)).id);
  return ids;
}

/** Inserts records directly into the database, the nth one at position n. Resolves to their ids. */
export async function addRecords(
  { pool, configurations }: Pick<Database, 'pool' | 'configurations'>,
  { projectId, family }: FamilyRef,
  { records, plugin = (n) => n, config = () => EMPTY }: Records,
): Promise<readonly number[]> {
  const drawn = await pool.query<{ readonly id: number }>(
    `select nextval('config_record_id_seq')::integer as id from generate_series(1, $1::integer)`,
    [records],
  );
  const ids = drawn.rows.map(({ id }) => id);
  const encrypt = await configurations.encrypter(pool, [projectId]);
  const configs = ids.map((row, i) => {
    const text = config(i + 1);
    return text === EMPTY ? null : encrypt({ projectId, column: 'config_record.config', row }, text);
  });
  await pool.query(
    `insert into config_record (id, project_id, family, plugin, enabled, position, config, deleted, created_at, updated_at, version)
    select n.id, $1, $2, n.plugin, false, n.position, n.config, false, now(), now(), 1
    from unnest($3::bigint[], $4::integer[], $5::bytea[]) with ordinality n (id, plugin, config, position)`,
    [projectId, family, ids, ids.map((_, i) => plugin(i + 1)), configs],
  );
  return ids;
}
