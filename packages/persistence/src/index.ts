export { openDatabase, type Database, type DatabaseOptions } from './postgres/database.ts';
export type { Failover, Primary } from './postgres/primary.ts';
export { parseDatabaseUrl } from './postgres/database-url.ts';
export { databaseProblem } from './schema/database-problem.ts';
export { schemaProblem } from './schema/schema-problem.ts';
export { isWritable } from './postgres/is-writable.ts';
export { connectionsAllowed } from './postgres/connections-allowed.ts';
export { compatibilityProblem } from './postgres/compatibility-problem.ts';
export { readClocks, serverClock, type ServerClock } from './postgres/server-clock.ts';
export { postgresWakeUps, type PostgresWakeUps } from './following/postgres-wake-ups.ts';
export { translateError } from './postgres/translate-error.ts';

export { aesSecretBox } from './crypto/aes-secret-box.ts';
export { nodeRandomness } from './crypto/node-randomness.ts';
export { readSecretsKeys, SECRETS_KEYS_FORM, type SecretsKeys } from './crypto/secrets-keys.ts';
export { sha256TokenHasher } from './crypto/sha256-token-hasher.ts';

export { postgresAccessProbe } from './access/postgres-access-probe.ts';
export { postgresApiKeyStore } from './access/postgres-api-key-store.ts';
export { postgresProjectStore } from './project/postgres-project-store.ts';
export { postgresPluginStore } from './plugin/postgres-plugin-store.ts';
export { postgresFamilyChanges } from './following/postgres-family-changes.ts';
export { postgresConfigRecordStore } from './record/postgres-config-record-store.ts';
export { postgresSecretStore } from './configuration/postgres-secret-store.ts';
export { postgresHistoryMasking } from './activity/postgres-history-masking.ts';
export { postgresActivityLog } from './activity/postgres-activity-log.ts';
export { postgresJobStore } from './job/postgres-job-store.ts';

export { postgresLogAppender } from './log/postgres-log-appender.ts';
export { postgresLogArrivals } from './following/postgres-log-arrivals.ts';
export { postgresRetention } from './retention/postgres-retention.ts';
export { postgresLogExport } from './log/postgres-log-export.ts';
export { postgresLogEntryStore } from './log/postgres-log-entry-store.ts';
export { postgresLogOutbox } from './job/postgres-log-outbox.ts';
export { postgresJobRunStore } from './job/postgres-job-run-store.ts';
export { postgresDeadLetterStore } from './dead-letter/postgres-dead-letter-store.ts';
export { postgresIngestionStores } from './ingestion/postgres-ingestion-stores.ts';
export { dayTablesProblem } from './log/days/day-tables.ts';
export { lockTableProblem, locksPerTransaction } from './log/days/lock-table.ts';
export { postgresLogUpkeep } from './log/postgres-log-upkeep.ts';
export { separateLogEntryStore } from './log/separate-log-entry-store.ts';
export { separateLogUpkeep } from './log/separate-log-upkeep.ts';

export { postgresDeliveryRates } from './delivery/postgres-delivery-rates.ts';
