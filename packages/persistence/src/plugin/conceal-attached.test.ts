import { registerPlugin } from '@plugin-config/domain';
import { aFamily, aPlugin, memorySecretBox } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { portsOf, withDatabase } from '../testing/postgres-ports.fixture.ts';
import { sentStatements } from '../testing/statements.fixture.ts';

const COUNT = 1_234;

test('a plugin that many records attach is registered in few statements, and no secret stays in the clear', () => {
  const { onStatement, since } = sentStatements();
  return withDatabase(
    async (database) => {
      const ports = portsOf(database);
      const { projectId } = await aFamily(ports);
      await database.pool.query(
        `insert into config_record
          (project_id, family, plugin, enabled, position, config, secrets, deleted, created_at, updated_at, version)
        select $1, 'plugin_configs', 7, false, i, '{"token":"clear","host":"' || i || '"}', '{}', false, now(), now(), 1
        from generate_series(1, $2) i`,
        [projectId, COUNT],
      );
      since();
      const plugin = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
      await registerPlugin({ plugins: ports.plugins, secretBox: memorySecretBox() }, plugin);
      expect(since().length).toBeLessThan(15);
      const { rows } = await database.pool.query<{ count: string }>(
        `select count(*) from config_record
        where config = '{"token":"********","host":"' || position || '"}' and secrets ->> 'token' is not null`,
      );
      expect(rows).toEqual([{ count: String(COUNT) }]);
    },
    { onStatement },
  );
});
