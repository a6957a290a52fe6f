import { once } from 'node:events';
import { spawnApp } from '../app-process.ts';
import { watchPeakMb } from '../peak-memory.ts';
import type { IngestPath } from './ingest-path.ts';

/** Imports a file. Measures the whole process, from start to exit. */
export const byFile: IngestPath = async ({ databaseUrl, files }) => {
  const started = performance.now();
  const worker = spawnApp('worker', { DATABASE_URL: databaseUrl }, ['--input', files.lines]);
  const peakMb = watchPeakMb(worker);
  const [code] = (await once(worker, 'exit')) as [number | null];
  const seconds = (performance.now() - started) / 1000;
  if (code !== 0) throw new Error(`The import exited with code ${code}.`);
  return { seconds, peakMb: peakMb() };
};
