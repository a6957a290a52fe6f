import { createTestDatabase } from '@plugin-config/persistence/testing';
import type { ServedApp } from '@plugin-config/server/testing';
import { inject, test as base } from 'vitest';
import { createTestBed, type TestBed } from './test-bed.ts';

interface Fixtures {
  /** A database for this file. */
  readonly bed: TestBed;
  /** A worker on that database, shared by all tests of the file. */
  readonly worker: ServedApp;
}

export const test = base.extend<Fixtures>({
  bed: [
    async ({}, use) => {
      const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
      await using bed = await createTestBed(url);
      await use(bed);
      await bed[Symbol.asyncDispose]();
      await drop();
    },
    { scope: 'file' },
  ],
  worker: [
    async ({ bed }, use) => {
      using worker = await bed.serve();
      await use(worker);
    },
    { scope: 'file' },
  ],
});
