import { registerPlugin } from '@plugin-config/domain';
import { anAuthor } from '@plugin-config/testing';
import fc from 'fast-check';
import { propertyRuns, propertyTimeout, SEED } from '../../../../../tools/property-runs.ts';
import { caller } from '../caller.ts';
import { test, type Service } from '../service.fixture.ts';
import { CHANGE_COMMANDS } from './change-commands.ts';
import { newModel, REGISTERED } from './model.ts';
import { expectPolled, POLL_COMMANDS } from './poll-commands.ts';
import { expectList, READ_COMMANDS } from './read-commands.ts';
import { REARRANGE_COMMANDS } from './rearrange-commands.ts';
import { everyTarget, expectHistory, type Running, type Target } from './service.ts';
import { expectJobs, WORK_COMMANDS } from './work-commands.ts';
import type { Wire } from '../wire.ts';

const PROJECTS = 2;
const RUNS = 3;
const TEST_TIMEOUT_MS = 300_000;

const commands = fc.commands(
  [...CHANGE_COMMANDS, ...REARRANGE_COMMANDS, ...WORK_COMMANDS, ...READ_COMMANDS, ...POLL_COMMANDS],
  { maxCommands: 80, size: 'max' },
);

async function newProjects(service: Service): Promise<Running> {
  const projects = await Promise.all(
    Array.from({ length: PROJECTS }, () =>
      service.ports.projects.create({ name: 'Property' }, anAuthor({ at: new Date() })),
    ),
  );
  const { token } = await service.issueKey();
  return {
    projects: projects.map(({ id }) => ({
      id,
      call: caller({ base: `${service.url}/api/projects/${id}`, token }),
    })),
  };
}

/** Compares the whole state of a place, to detect unexpected changes. */
async function expectState(target: Target): Promise<void> {
  await expectList(target);
  await expectList(target, { filter: { deleted: true } });
  await expectPolled(target);
  for (const record of target.family.records) {
    const own = { ...target, record, path: `${target.path}/${record.id}` };
    expectHistory(own, await target.call<Wire<'activityView'>>('GET', `${own.path}/activity?limit=1000`));
    await expectJobs(own);
  }
}

test(
  `the API behaves like its model, seed ${SEED}`,
  { timeout: propertyTimeout(TEST_TIMEOUT_MS) },
  async ({ service }) => {
    await registerPlugin(service.ports, REGISTERED, anAuthor());
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const model = newModel(PROJECTS);
        const running = await newProjects(service);
        await fc.asyncModelRun(() => ({ model, real: running }), sequence);
        for (const target of everyTarget(model, running)) await expectState(target);
      }),
      { numRuns: propertyRuns(RUNS) },
    );
  },
);
