import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationDiff } from '@mikro-orm/core';
import { Migration, MigrationGenerator, Migrator } from '@mikro-orm/migrations';
import { defineConfig } from '@mikro-orm/postgresql';
import * as entities from './src/entities/index.ts';
import { MIGRATION_TABLE, migrations } from './src/schema/sql-files.ts';

// Configures the MikroORM CLI. Run it in this folder with DATABASE_URL set: `npx mikro-orm migration:create --name colour`
// writes the next migration from the difference between entities and database. `migration:check` and `schema:update --dump`
// compare the two; `migration:list` and `migration:pending` list the migrations. To migrate, use the service's own command,
// which also creates the functions, takes the lock and stores the checksums.

const { DATABASE_URL = 'postgresql://127.0.0.1:5432/postgres' } = process.env;

/** Writes migrations as `.sql` files, whose checksums the apps can read without the migrator. */
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

function migrationOf(text: string) {
  return class extends Migration {
    override up(): void {
      this.addSql(text);
    }
  };
}

/** The options to compare a database with the entities, which describe neither functions nor triggers. */
export const DESCRIBED_SCHEMA = {
  entities: Object.values(entities),
  schemaGenerator: { skipTables: [MIGRATION_TABLE], ignoreRoutines: true, ignoreTriggers: true },
};

export default defineConfig({
  clientUrl: DATABASE_URL,
  ...DESCRIBED_SCHEMA,
  extensions: [Migrator],
  migrations: {
    tableName: MIGRATION_TABLE,
    migrationsList: migrations.map(({ name, text }) => ({ name, class: migrationOf(text) })),
    disableForeignKeys: false,
    snapshot: false,
    generator: SqlMigrationGenerator,
  },
});
