import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Stores the applied migrations. */
export const MIGRATION_TABLE = 'schema_migration';

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Comment lines. They are removed from the SQL, so they may change later. */
const COMMENTS = /^ *--.*\n/gm;

/** All migrations in order. Released migrations never change. */
export const migrations: readonly Migration[] = filesIn('migrations').map((file) => ({
  ...file,
  checksum: checksum(file.text),
}));

/** The current version of every function. Each run of `migrate` creates all of them. */
export const FUNCTIONS: readonly string[] = filesIn('functions').map(({ text }) => text);

export const FUNCTIONS_CHECKSUM = checksum(FUNCTIONS.join('\n'));

/** Reads the `.sql` files of a folder next to this file. */
function filesIn(folder: string) {
  const path = join(import.meta.dirname, folder);
  const files = readdirSync(path).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file) => {
    const source = readFileSync(join(path, file), 'utf8');
    return { name: basename(file, '.sql'), text: source.replaceAll(COMMENTS, '') };
  });
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
