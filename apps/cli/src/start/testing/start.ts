import { fileURLToPath } from 'node:url';
import { start } from '../start.ts';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const setUp = {
  migrateAll: async () => [],
  firstStart: async () => `phx_first${'0'.repeat(38)}`,
  requireMasterKeys: async () => {},
  masterKeysInUse: async () => [],
};
const entries = { http: file('./http.ts'), worker: file('./worker.ts') };

const { SHUTDOWN_MAX_MS: max } = process.env;
const shutdownMaxMs = max === undefined ? undefined : Number(max);

process.exitCode = await start({ setUp, entries, shutdownMaxMs }, process.env);
