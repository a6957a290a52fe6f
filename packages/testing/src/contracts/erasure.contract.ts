import { eraseProject, ERASED_KINDS, ingest, type Erasure } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aRecord, aRecordDraft } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aRuntimeReport } from '../builders/a-runtime-report.ts';
import { aKeyHash, anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import { anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { claimJob } from './claim-job.ts';
import { liveRecords, WHOLE } from './read-state.ts';

const NOTHING = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, 0])) as Erasure['counts'];
const OPTIONS = { author: anAuthor(), requireRegistered: false };

/** The deletion of a project, and the removal of everything that it stored. */
export function erasureContract(test: TestWith<LogPorts>): void {
  test('a deleted project is missing at once, and its erasure has begun', async (ports) => {
    const { id } = await ports.projects.create({ name: 'Shop' }, anAuthor());
    const author = anAuthor({ at: secondsLater(5) });
    const erasure = await ports.erasures.start(id, 'Shop', author);
    expect(erasure).toEqual({ projectId: id, counts: NOTHING, startedAt: author.at, finishedAt: null });
    expect(await ports.erasures.find(id)).toEqual(erasure);
    expect((await ports.tasks.backlog()).erasure).toEqual({ due: 1, running: 0 });
    expect(await ports.projects.find(id)).toBeNull();
    expect(await ports.probe.existing([id])).toEqual(new Set());
    const { items } = await ports.audit.page(WHOLE);
    expect(items[0]).toMatchObject({ action: 'project_deleted', subject: { type: 'project', id } });
  });

  test('deleting a project again returns its erasure', async (ports) => {
    const { id } = await ports.projects.create({ name: 'Shop' }, anAuthor());
    const first = await ports.erasures.start(id, 'Shop', anAuthor());
    const again = ports.erasures.start(id, 'anything', anAuthor({ at: secondsLater(9) }));
    expect(await again).toEqual(first);
    expect((await ports.erasures.page(WHOLE)).items).toEqual([first]);
  });

  test('a project is deleted only if its name is repeated', async (ports) => {
    const { id } = await ports.projects.create({ name: 'Shop' }, anAuthor());
    const wrong = ports.erasures.start(id, 'shop', anAuthor());
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input', attr: 'name' });
    const missing = ports.erasures.start(id + 1, 'Shop', anAuthor());
    await expect(missing).rejects.toMatchObject({ code: 'project_not_found' });
    expect(await ports.projects.find(id)).not.toBeNull();
    const family = { projectId: id, family: 'plugin_configs' } as const;
    expect(await aRecord(ports, family)).toMatchObject(family);
  });

  test('keys bound only to the project are deleted, and other keys lose access to it', async (ports) => {
    const [gone, kept] = [await aFamily(ports), await aFamily(ports)];
    const bound = (n: number, projectIds: readonly number[]) =>
      ports.keys.add(anApiKey({ hash: aKeyHash(n), projectIds }), anAuthor());
    const own = await bound(1, [gone.projectId]);
    const shared = await bound(2, [gone.projectId, kept.projectId]);
    const unbound = await bound(3, []);
    const erasure = await end(ports, gone.projectId);
    expect(erasure.counts.keys).toBe(1);
    expect(await ports.keys.find(own.id)).toBeNull();
    expect(await ports.keys.find(shared.id)).toMatchObject({ projectIds: [kept.projectId] });
    expect(await ports.keys.find(unbound.id)).toMatchObject({ projectIds: [] });
    expect([...(await ports.probe.grants([own.id, shared.id])).keys()]).toEqual([shared.id]);
  });

  test('work that began before the project was deleted stores nothing', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    await ports.jobs.queue(aJob(record), null);
    const claimed = await claimJob(ports);
    if (claimed === null) throw new Error('No job was claimed.');
    const entry = anEntry(record);
    await end(ports, family.projectId);
    expect(await ports.records.save(aRecordWrite(record, { name: 'Late' }))).toBeNull();
    const missing = { code: 'project_not_found' };
    await expect(ports.records.create(family, aRecordDraft(), OPTIONS)).rejects.toMatchObject(missing);
    await expect(ports.records.lock(family, async () => null)).rejects.toMatchObject(missing);
    expect(await ports.jobs.cancel(record, claimed.id, anAuthor())).toBeNull();
    const settled = ports.jobRuns.settle(claimed, async () => {
      throw new Error('The job of a deleted project was settled.');
    });
    expect(await settled).toBe(false);
    expect(await ingest(ports, [entry])).toEqual(['unknown_plugin_config']);
    const report = { family, instance: 'a', report: aRuntimeReport(), at: MOMENT };
    await expect(ports.runtimes.report(report)).rejects.toThrow();
    expect(await claimJob(ports)).toBeNull();
  });

  test('a key of two projects that are deleted at once does not become a key of all projects', async (ports) => {
    for (let round = 0; round < 5; round++) {
      const projects = [await aFamily(ports), await aFamily(ports)].map(({ projectId }) => projectId);
      const { id } = await ports.keys.add(
        anApiKey({ hash: aKeyHash(100 + round), projectIds: projects }),
        anAuthor(),
      );
      await Promise.all(projects.map((projectId) => end(ports, projectId)));
      expect(await ports.keys.find(id)).toBeNull();
    }
  });

  test('erasures of one project at once count everything once', async (ports) => {
    const family = await aFamily(ports);
    for (let n = 0; n < 3; n++) {
      const record = await aRecord(ports, family);
      await ports.jobs.queue(aJob(record, { id: crypto.randomUUID() }), null);
      await ingest(ports, [anEntry(record), anEntry(record, { timestamp: MOMENT.getTime() + 7_200_000 })]);
    }
    await end(ports, family.projectId);
    await Promise.all([1, 2, 3].map(() => Array.fromAsync(eraseProject(ports, family.projectId))));
    const erasure = await ports.erasures.find(family.projectId);
    expect(erasure?.counts).toMatchObject({ records: 3, activity: 6, jobs: 3, log_entries: 6 });
  });

  test('the id of a plugin that only erased records were attached to is not drawn', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family, { plugin: 40 });
    await ports.records.save(aRecordWrite(record, { plugin: 30, formerPlugins: [40] }));
    await end(ports, family.projectId);
    await Array.fromAsync(eraseProject(ports, family.projectId));
    const put = (slug: string) =>
      ports.plugins.register({ id: `slug:${slug}`, name: slug }, new Map(), anAuthor());
    expect([(await put('a')).id, (await put('b')).id]).toEqual([41, 42]);
  });

  test('an interrupted erasure can be resumed, and leaves other projects alone', async (ports) => {
    const [gone, kept] = [await aFamily(ports), await aFamily(ports)];
    for (const family of [gone, kept]) {
      const record = await aRecord(ports, family);
      await ports.records.save(aRecordWrite(record, { name: 'New' }));
      await ports.jobs.queue(aJob(record, { id: crypto.randomUUID() }), null);
      await ingest(ports, [anEntry(record), anEntry(record, { timestamp: MOMENT.getTime() + 7_200_000 })]);
    }
    await end(ports, gone.projectId);
    let step = 0;
    for (let isDone = false; !isDone;) {
      for await (const next of eraseProject(ports, gone.projectId, step)) {
        step = next;
        break;
      }
      isDone = (await ports.erasures.find(gone.projectId))?.finishedAt !== null;
    }
    const erasure = await ports.erasures.find(gone.projectId);
    expect(erasure?.counts).toEqual({ ...NOTHING, records: 1, activity: 3, jobs: 1, log_entries: 2 });
    expect(await liveRecords(ports, kept)).toMatchObject([{ name: 'New' }]);
  });
}

async function end({ projects, erasures }: LogPorts, projectId: number): Promise<Erasure> {
  const project = await projects.find(projectId);
  return erasures.start(projectId, project?.name ?? '', anAuthor());
}
