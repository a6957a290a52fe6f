import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationDiff } from '@mikro-orm/core';
import { MigrationGenerator, Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import { DESCRIBED_SCHEMA, MIGRATIONS } from './src/schema/orm-options.ts';
import { migrations } from './src/schema/sql-files.ts';

// For MikroORM's own command, in this folder and with DATABASE_URL set: `npx mikro-orm migration:create --name colour` writes
// what the entities have and the database lacks as the next migration, `migration:check` and `schema:update --dump` compare,
// `migration:list` and `migration:pending` show the steps. To migrate, use the service's command: it also loads the
// functions, takes the lock, and notes the checksums.

const { DATABASE_URL = 'postgresql://127.0.0.1:5432/postgres' } = process.env;

/** Writes a migration as a `.sql` file: the apps read its checksum without loading the ORM. */
class SqlMigrationGenerator extends MigrationGenerator {
  override async generate(diff: MigrationDiff, path?: string, name = 'change'): Promise<[string, string]> {
    const file = `${String(migrations.length + 1).padStart(4, '0')}-${name}.sql`;
    const text = this.generateMigrationFile(name, diff);
    await writeFile(join(path ?? join(import.meta.dirname, 'src/schema/migrations'), file), text);
    return [text, file];
  }

  override generateMigrationFile(_: string, { up }: MigrationDiff): string {
    return `-- From the entities.\n${up.join('\n')}\n`;
  }
}

export default defineConfig({
  clientUrl: DATABASE_URL,
  ...DESCRIBED_SCHEMA,
  extensions: [Migrator],
  migrations: { ...MIGRATIONS, generator: SqlMigrationGenerator },
});
