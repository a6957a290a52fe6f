import { FAMILIES, NO_QUOTA } from '@plugin-config/domain';
import { expect } from 'vitest';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { idsOf, liveRecords, WHOLE } from './read-state.ts';

export function projectStoreContract(test: TestWith<Ports>): void {
  test('a new project is read back unchanged', async ({ projects }) => {
    const at = secondsLater(1);
    const project = await projects.create('Größe 🚀 "quoted"', anAuthor({ at }));
    expect(project).toEqual({ id: project.id, name: 'Größe 🚀 "quoted"', createdAt: at, logQuota: NO_QUOTA });
    expect(await projects.find(project.id)).toEqual(project);
  });

  test('a missing project is not found, even with a huge id', async ({ projects }) => {
    const { id } = await projects.create('Only one', anAuthor());
    expect(await projects.find(id + 1)).toBeNull();
    expect(await projects.find(Number.MAX_SAFE_INTEGER)).toBeNull();
  });

  test('each family of a new project is empty', async (ports) => {
    const { id: projectId } = await ports.projects.create('New', anAuthor());
    for (const family of FAMILIES) expect(await liveRecords(ports, { projectId, family })).toEqual([]);
  });

  test('projects created concurrently are separate projects', async ({ projects }) => {
    const created = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        projects.create(`Project ${i}`, anAuthor({ at: secondsLater(i) })),
      ),
    );
    expect(new Set(idsOf(created)).size).toBe(10);
    expect((await projects.list(WHOLE, [])).count).toBe(10);
  });

  test('projects are listed by id, page by page', async ({ projects }) => {
    for (const name of ['c', 'a', 'b']) await projects.create(name, anAuthor());
    const all = await projects.list(WHOLE, []);
    expect(all.count).toBe(3);
    expect(all.items.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    expect(await projects.list({ limit: 1, offset: 1 }, [])).toEqual({
      count: 3,
      items: all.items.slice(1, 2),
    });
  });

  test('a page past the end is empty and keeps the count', async ({ projects }) => {
    await projects.create('Only one', anAuthor());
    expect(await projects.list({ limit: 5, offset: 2_147_483_647 }, [])).toEqual({ count: 1, items: [] });
  });

  test('a list of ids selects the projects among them that exist', async ({ projects }) => {
    const first = await projects.create('First', anAuthor());
    await projects.create('Second', anAuthor());
    const third = await projects.create('Third', anAuthor());
    const page = await projects.list(WHOLE, [third.id, third.id + 1, first.id]);
    expect(page).toEqual({ count: 2, items: [first, third] });
  });

  test('renaming a project keeps its other values', async ({ projects }) => {
    const project = await projects.create('Before', anAuthor({ at: secondsLater(1) }));
    const other = await projects.create('Other', anAuthor({ at: secondsLater(1) }));
    expect(await projects.change(project.id, { name: 'After' }, anAuthor())).toEqual({
      ...project,
      name: 'After',
    });
    expect(await projects.find(project.id)).toEqual({ ...project, name: 'After' });
    expect(await projects.find(other.id)).toEqual(other);
  });

  test('the quota of a project is replaced as a whole, and its name is kept', async ({ projects }) => {
    const project = await projects.create('Shop', anAuthor());
    const change = (entriesPerDay: number | null, bytesPerDay: number | null) =>
      projects.change(project.id, { logQuota: { entriesPerDay, bytesPerDay } }, anAuthor());
    const largest = Number.MAX_SAFE_INTEGER;
    for (const [entriesPerDay, bytesPerDay] of [
      [5, null],
      [null, largest],
      [null, null],
    ] as const) {
      const expected = { ...project, logQuota: { entriesPerDay, bytesPerDay } };
      expect(await change(entriesPerDay, bytesPerDay)).toEqual(expected);
      expect(await projects.find(project.id)).toEqual(expected);
    }
  });

  test('an empty change has no effect', async ({ projects, audit }) => {
    const project = await projects.create('Shop', anAuthor());
    expect(await projects.change(project.id, {}, anAuthor())).toEqual(project);
    expect((await audit.page(WHOLE)).count).toBe(1);
  });

  test('a missing project cannot be changed', async ({ projects }) => {
    expect(await projects.change(4711, { name: 'After' }, anAuthor())).toBeNull();
  });
}
