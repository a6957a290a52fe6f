export { createTestDatabase, type TestDatabase } from './create-test-database.ts';
export { digestTables } from './digest-tables.ts';
export { dumpTables } from './dump-tables.ts';
export { encodingsOf } from './encodings-of.ts';
export { lossyProxy } from './lossy-proxy.ts';
export { movingAddress } from './moving-address.ts';
export { observeStatements } from './observe-statements.ts';
export {
  replicatedServersOfFile,
  startOwnServer,
  type ReplicatedServer,
  type ReplicatedServers,
} from './replicated-servers.ts';
export { setup } from './test-cluster.ts';
export { TEST_KEYS, TEST_SECRETS_KEYS } from './test-keys.ts';
