import { Migration } from '@mikro-orm/migrations';
import * as entities from '../entities/index.ts';
import { migrations } from './sql-files.ts';
import { MIGRATION_TABLE } from './schema-state.ts';

/** MikroORM's options to run the migrations. */
export const MIGRATIONS = {
  tableName: MIGRATION_TABLE,
  migrationsList: migrations.map(({ name, text }) => ({ name, class: migrationOf(text) })),
  disableForeignKeys: false,
  snapshot: false,
};

/** MikroORM's options to compare a database with the entities, which describe neither functions nor triggers. */
export const DESCRIBED_SCHEMA = {
  entities: Object.values(entities),
  schemaGenerator: { skipTables: [MIGRATION_TABLE], ignoreRoutines: true, ignoreTriggers: true },
};

function migrationOf(text: string) {
  return class extends Migration {
    override up(): void {
      this.addSql(text);
    }
  };
}
