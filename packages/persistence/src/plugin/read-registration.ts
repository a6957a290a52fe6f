import type { ConfigField, Plugin, Registration } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import type { PluginRow } from '../entities/plugin.row.ts';

/** The columns of a plugin `p`. */
export const PLUGIN = columns((row): Plugin =>
  pluginOf({
    id: row.number('p.id'),
    name: row.text('p.name'),
    description: row.textOrNull('p.description'),
    url: row.textOrNull('p.url'),
    icon: row.textOrNull('p.icon'),
    configSchema: row.jsonOrNull('p.config_schema') as readonly ConfigField[] | null,
  }),
);

/** SQL for a lateral join `p` of a plugin that is currently registered. */
export function registeredPlugin(id: string): string {
  return `lateral (select * from plugin p where p.id = ${id} and p.info is not null limit 1) p`;
}

type Registered = Pick<PluginRow, 'id' | 'description' | 'url' | 'icon' | 'configSchema'> & {
  readonly name: string;
};

/** Returns the plugin without null fields. */
export function pluginOf({ id, name, description, url, icon, configSchema }: Registered): Plugin {
  return {
    id,
    name,
    ...(description !== null && { description }),
    ...(url !== null && { url }),
    ...(icon !== null && { icon }),
    ...(configSchema !== null && { configSchema }),
  };
}

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
