import { setTimeout as sleep } from 'node:timers/promises';
import { eraseProject, type ArchivableDays, type Eraser, type LogArchive } from '@plugin-config/domain';
import type { Logger } from 'pino';

interface Dependencies {
  readonly eraser: Eraser;
  readonly archivable: ArchivableDays;
  /** Null without an archive. */
  readonly archive: LogArchive | null;
  readonly logger: Logger;
}

/** The pause after each chunk, so an erasure uses the database at most half of the time. */
const PAUSE_MS = 50;

/** Removes the rows of deleted projects, one project at a time. After an interruption, the next call continues. */
export async function eraseProjects(
  { logger, ...dependencies }: Dependencies,
  signal: AbortSignal,
): Promise<void> {
  for (const projectId of await dependencies.eraser.due()) {
    for await (const _ of eraseProject(dependencies, projectId)) {
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
    logger.info({ projectId }, 'a deleted project was erased');
  }
}
