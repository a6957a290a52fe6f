import { require, type Rule } from './rules.ts';
import type { Trial } from './trial.ts';
import { page, projectOf, tooLarge } from './wire.ts';

/** The rules of a runtime that follows all projects. What it runs is known from the lines that it prints. */
export const HOST_RULES: readonly Rule[] = [
  {
    name: 'pages',
    title: 'Fetches the next page at once, and waits after the last.',
    check: async (trial) => {
      trial.start();
      (await trial.nextPoll()).respond(page('cursor-1', [projectOf(1, 'a')], { more: true }));
      const second = await trial.nextPoll();
      require(second.known ===
        'cursor-1', `It polled with ${second.known ?? 'no cursor'} instead of cursor-1.`);
      require(second.waitSeconds === null, 'It waited although there was another page.');
      second.respond(page('cursor-2', [projectOf(2, 'a')]));
      const third = await trial.nextPoll();
      require(third.known ===
        'cursor-2', `It polled with ${third.known ?? 'no cursor'} instead of cursor-2.`);
      require(third.waitSeconds !== null, 'It did not wait after the last page.');
    },
  },
  {
    name: 'same-version',
    title: 'Skips a project whose version it runs.',
    needs: 'lines',
    check: async (trial) => {
      await twoProjects(trial);
      (await trial.nextPoll()).respond(page('cursor-2', [projectOf(1, 'a'), projectOf(2, 'b')]));
      await trial.until(() => linesOf(trial, 2).length === 2, 'It did not run the new version of project 2');
      require(linesOf(trial, 1).length === 1, 'It applied the same version of project 1 twice.');
    },
  },
  {
    name: 'gone',
    title: 'Stops the plugins of a project that is gone.',
    needs: 'lines',
    check: async (trial) => {
      await twoProjects(trial);
      (await trial.nextPoll()).respond(page('cursor-2', [], { gone: [2] }));
      await trial.until(() => isStopped(trial, 2), 'It did not stop project 2');
      require(!isStopped(trial, 1), 'It stopped project 1, which is not gone.');
    },
  },
  {
    name: 'reset',
    title: 'After a reset, stops the projects that do not come again.',
    needs: 'lines',
    check: async (trial) => {
      await twoProjects(trial);
      const first = page('cursor-2', [projectOf(1, 'a')], { more: true, reset: true });
      (await trial.nextPoll()).respond(first);
      const poll = await trial.nextPoll();
      require(!isStopped(trial, 2), 'It stopped project 2 before the last page.');
      poll.respond(page('cursor-3', [projectOf(3, 'a')]));
      await trial.until(() => isStopped(trial, 2), 'It did not stop project 2');
      require(!isStopped(trial, 1), 'It stopped project 1, which came again.');
    },
  },
  {
    name: 'too-large',
    title: 'Keeps running a project that is too large to be sent.',
    needs: 'lines',
    check: async (trial) => {
      await twoProjects(trial);
      (await trial.nextPoll()).respond(page('cursor-2', [tooLarge(1, 'b'), projectOf(2, 'b')]));
      await trial.until(() => linesOf(trial, 2).length === 2, 'It did not run the new version of project 2');
      require(!isStopped(trial, 1), 'It stopped project 1.');
    },
  },
];

/** Without this rule, the others cannot be seen. */
export const LINES: Rule = {
  name: 'lines',
  title: 'Prints `run <project> <plugins>` for each project that it applies.',
  check: async (trial) => {
    await twoProjects(trial);
  },
};

async function twoProjects(trial: Trial): Promise<void> {
  trial.start();
  (await trial.nextPoll()).respond(page('cursor-1', [projectOf(1, 'a'), projectOf(2, 'a')]));
  for (const id of [1, 2])
    await trial.until(() => linesOf(trial, id).length === 1, `It did not print a line \`run ${id} …\``);
}

/** Returns what the runtime printed behind `run <project>`. */
function linesOf(trial: Trial, projectId: number): readonly string[] {
  const start = `run ${projectId}`;
  const lines = trial.output().split('\n').slice(0, -1);
  return lines.flatMap((line) =>
    `${line.trimEnd()} `.startsWith(`${start} `) ? [line.slice(start.length).trim()] : [],
  );
}

function isStopped(trial: Trial, projectId: number): boolean {
  return linesOf(trial, projectId).includes('');
}
