import { setTimeout as sleep } from 'node:timers/promises';
import { eraseProject, type ArchivableDays, type Eraser, type LogArchive } from '@plugin-config/domain';
import type { Logger } from 'pino';

interface Dependencies {
  readonly eraser: Eraser;
  readonly archivable: Pick<ArchivableDays, 'exclusively'>;
  /** Null without an archive. */
  readonly archive: LogArchive | null;
  readonly logger: Logger;
}

/** The pause after each chunk, in which other work gets its turn. */
const PAUSE_MS = 50;

/**
 * Removes the rows of deleted projects, one project at a time, unless another worker is erasing or archiving. After an interruption,
 * the next call continues. Throws the first error at the end, so a project that cannot be erased now does not delay the others.
 */
export async function eraseProjects(
  { logger, archivable, ...dependencies }: Dependencies,
  signal: AbortSignal,
): Promise<void> {
  const due = await dependencies.eraser.due();
  if (due.length === 0) return;
  const errors: unknown[] = [];
  await archivable.exclusively(async () => {
    for (const projectId of due) {
      try {
        for await (const _ of eraseProject(dependencies, projectId)) {
          await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return;
        }
        logger.info({ projectId }, 'a deleted project was erased');
      } catch (error) {
        errors.push(error);
      }
    }
  });
  if (errors.length > 0) throw errors[0];
}
