export { createTestDatabase, type TestDatabase } from './create-test-database.ts';
export { setup } from './test-cluster.ts';
