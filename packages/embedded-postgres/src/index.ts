export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export {
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
  type RunningPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
export { endsWithin, type Exit, exitOf } from './exit.ts';
export { keepPrivateFile, readPrivateFile, writePrivateFile } from './private-file.ts';
