export { newConfigurations } from './configuration/configurations.ts';
export {
  openDatabase,
  type EncryptedDatabase as Database,
  type EncryptedDatabaseOptions as DatabaseOptions,
} from './configuration/encrypted-database.ts';
export type { Primary } from './postgres/primary.ts';
export { perTimeline, type Timeline } from './postgres/timeline.ts';
export { postgresPorts, type PostgresPorts } from './postgres-ports.ts';
export { databaseProblem, schemaProblem } from './schema/schema-problem.ts';
export { isWritable } from './postgres/is-writable.ts';
export { compatibilityProblem } from './postgres/compatibility-problem.ts';
export { readClocks, serverClock, type ServerClock } from './postgres/server-clock.ts';
export { postgresWakeUps, type PostgresWakeUps } from './following/postgres-wake-ups.ts';

export { aesSessionCipher } from './crypto/aes-session-cipher.ts';
export { aesSignInCipher } from './crypto/aes-sign-in-cipher.ts';
export { hmacAccessTokens } from './crypto/hmac-access-tokens.ts';
export { nodeRandomness } from './crypto/node-randomness.ts';
export {
  NO_MASTER_KEY,
  newSecretsKey,
  readSecretsKeys,
  SECRETS_KEYS_FORM,
  type SecretsKeys,
} from './crypto/secrets-keys.ts';
export {
  masterKeysProblem,
  masterKeyUses,
  rotateMasterKey,
  type MasterKeyUse,
} from './configuration/master-keys.ts';

export { postgresRuntimeConfigurations } from './runtime/postgres-runtime-configurations.ts';
export { postgresLogEntryStore } from './log/postgres-log-entry-store.ts';
export { postgresIngestionStores } from './ingestion/postgres-ingestion-stores.ts';
export { dayTablesProblem } from './log/days/day-tables.ts';
export { lockTableProblem, locksPerTransaction } from './log/days/lock-table.ts';
export { postgresLogUpkeep } from './log/postgres-log-upkeep.ts';
export { postgresEndedDays } from './log/days/postgres-ended-days.ts';
