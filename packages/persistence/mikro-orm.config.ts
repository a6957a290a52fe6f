import { Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { DESCRIBED_SCHEMA, MIGRATIONS } from './src/schema/orm-options.ts';

// For MikroORM's own command, in this folder and with DATABASE_URL set: `npx mikro-orm migration:check` compares the entities
// with the database, `migration:list` shows the steps, `schema:update --dump` what would be missing. To migrate, use the
// service's command: it also takes the lock, and notes the checksums.

const { DATABASE_URL = 'postgresql://127.0.0.1:5432/postgres' } = process.env;

export default defineConfig({
  clientUrl: DATABASE_URL,
  ...DESCRIBED_SCHEMA,
  extensions: [Migrator],
  migrations: MIGRATIONS,
});
