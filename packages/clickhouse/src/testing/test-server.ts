import type { TestProject } from 'vitest/node';
import { findProgram } from '../../../../tools/programs.ts';
import { startClickHouse } from './clickhouse-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server on which `createClickHouseDatabase` creates databases. */
    readonly clickHouseUrl: string;
  }
}

/** Vitest's global setup: starts one ClickHouse server for the run, even if it covers all packages. Returns the teardown. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.isRootProject() || findProgram('chdb') === undefined) return undefined;
  const server = await startClickHouse();
  project.provide('clickHouseUrl', server.url);
  return async () => server[Symbol.asyncDispose]();
}
