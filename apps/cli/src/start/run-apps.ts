import { launchProgram, type Program } from './launch-program.ts';
import type { Session } from './session.ts';
import { supervise } from './supervise.ts';

const DATABASE_RESERVE_MS = 1_300;
const SLOW_MS = 15_000;

/** Runs the programs until the session ends. Resolves once all of them are ready. */
export async function runApps(
  { shutdown, resources, report }: Session,
  programs: readonly Program[],
): Promise<void> {
  const apps = programs.map((program) => {
    const launch = async () => launchProgram(program);
    return supervise({ name: program.name, launch }, { report, giveUp: shutdown.fail });
  });
  resources.defer(async () => {
    const graceMs = shutdown.graceMs(DATABASE_RESERVE_MS);
    await Promise.all(apps.map((app) => app.stop(graceMs, shutdown.force)));
  });
  const urls = programs.map(({ url }) => `${url}/readyz`).join(' and ');
  const slow = setTimeout(() => report(`Not everything is ready yet: ${urls} inform why.`), SLOW_MS);
  await shutdown.race(Promise.all(apps.map((app) => app.ready))).finally(() => clearTimeout(slow));
}
