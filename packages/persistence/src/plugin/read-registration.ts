import type { Registration } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { PLUGIN, registeredPlugin } from './plugin-columns.ts';

const REGISTRATION = columns((row) => ({
  version: row.number('k.registry_version'),
  secretNames: row.json('array_to_json(k.secret_names)') as readonly string[],
  plugin: row.allOrNull(PLUGIN),
}));

export const READ_REGISTRATION: Statement = {
  name: 'read_registration',
  text: `select ${REGISTRATION.sql} from plugin k left join ${registeredPlugin('k.id')} on true where k.id = $1`,
};

export async function readRegistration(
  connection: pg.Pool | pg.ClientBase,
  plugin: number,
): Promise<Registration> {
  const [row] = await run(connection, READ_REGISTRATION, [plugin]);
  if (row === undefined) return { plugin: null, version: null, secretNames: new Set() };
  const { secretNames, ...registration } = REGISTRATION.read(row);
  return { ...registration, secretNames: new Set(secretNames) };
}
