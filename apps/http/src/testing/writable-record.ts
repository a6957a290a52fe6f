import { anAuthor } from '@plugin-config/testing';
import type { Call } from './caller.ts';
import type { Service } from './service.fixture.ts';

/** A plugin with the entry that the example of a write-back sets. */
const PLUGIN = 4713;
const SCHEMA = [{ key: 'refresh_token', type: 'string', secret: true, runtimeWritable: true }] as const;

/** Creates a record whose first configuration the example of a write-back replaces. `call` is for its family. */
export async function createWritableRecord({ ports }: Pick<Service, 'ports'>, call: Call): Promise<number> {
  await ports.plugins.register(
    { id: PLUGIN, name: 'OAuth', configSchema: SCHEMA },
    new Map(),
    anAuthor({ at: new Date() }),
  );
  return (await call('POST', '', { body: { plugin: PLUGIN, enabled: true } })).body.id;
}
