import type { TestProject } from 'vitest/node';
import { startClickHouse } from './clickhouse-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server on which `createClickHouseDatabase` makes databases. */
    readonly clickHouseUrl: string;
  }
}

/** Vitest's global setup: one ClickHouse for the run. Returns the teardown. */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const server = await startClickHouse();
  project.provide('clickHouseUrl', server.url);
  return async () => server[Symbol.asyncDispose]();
}
