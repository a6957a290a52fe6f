export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from './embedded-postgres.ts';
export { endsWithin, type Exit, exitOf } from './exit.ts';
export type { Postmaster } from './postmaster.ts';
export { keepPrivateFile, readPrivateFile, writePrivateFile } from './private-file.ts';
export { removeEmbeddedPostgres } from './remove-embedded-postgres.ts';
export { type RunningPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';
