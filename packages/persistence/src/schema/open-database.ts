import { connectTo, type Database, type DatabaseOptions } from '../postgres/database.ts';
import { ROWS } from './rows/index.ts';

/** Opens a database whose tables are those of this schema. */
export function openDatabase(options: DatabaseOptions): Promise<Database> {
  return connectTo(ROWS, options);
}
