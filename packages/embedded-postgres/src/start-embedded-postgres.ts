import type { Exit } from './exit.ts';
import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from './embedded-postgres.ts';

/** One run of the embedded database, for a caller that does not restart it. */
export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  stop(): Promise<void>;
}

/** Opens the data directory, runs PostgreSQL and waits until it answers. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<RunningPostgres> {
  const { url, port, launch, close } = await openEmbeddedPostgres(options);
  try {
    const { pid, exited, ready, stop } = await launch();
    await ready.catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    const stopAndClose = async (): Promise<void> => {
      await stop();
      await close();
    };
    return { url, port, pid, exited, stop: stopAndClose };
  } catch (error) {
    await close();
    throw error;
  }
}
