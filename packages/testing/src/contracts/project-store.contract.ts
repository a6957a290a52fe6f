import { FAMILIES, NO_QUOTA } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { idsOf, liveRecords, WHOLE } from './read-state.ts';

const ALL = { ids: [] };

export function projectStoreContract(test: TestWith<Ports>): void {
  test('a new project is read back unchanged', async ({ projects }) => {
    const at = secondsLater(1);
    const project = await projects.create({ name: 'Größe 🚀 "quoted"' }, anAuthor({ at }));
    expect(project).toEqual({
      id: project.id,
      externalId: null,
      name: 'Größe 🚀 "quoted"',
      createdAt: at,
      logQuota: NO_QUOTA,
    });
    expect(await projects.find(project.id)).toEqual(project);
  });

  test('a missing project is not found, even with a huge id', async ({ projects }) => {
    const { id } = await projects.create({ name: 'Only one' }, anAuthor());
    expect(await projects.find(id + 1)).toBeNull();
    expect(await projects.find(Number.MAX_SAFE_INTEGER)).toBeNull();
  });

  test('each family of a new project is empty', async (ports) => {
    const { id: projectId } = await ports.projects.create({ name: 'New' }, anAuthor());
    for (const family of FAMILIES) expect(await liveRecords(ports, { projectId, family })).toEqual([]);
  });

  test('projects are listed by id, page by page', async ({ projects }) => {
    for (const name of ['c', 'a', 'b']) await projects.create({ name }, anAuthor());
    const all = await projects.list(WHOLE, ALL);
    expect(all.count).toBe(3);
    expect(all.items.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
    expect(await projects.list({ limit: 1, offset: 1 }, ALL)).toEqual({
      count: 3,
      items: all.items.slice(1, 2),
    });
  });

  test('a list of ids selects the projects among them that exist', async ({ projects }) => {
    const first = await projects.create({ name: 'First' }, anAuthor());
    await projects.create({ name: 'Second' }, anAuthor());
    const third = await projects.create({ name: 'Third' }, anAuthor());
    const page = await projects.list(WHOLE, { ids: [third.id, third.id + 1, first.id] });
    expect(page).toEqual({ count: 2, items: [first, third] });
  });

  test('a project is put by its external id, as often and as concurrently as anyone likes', async ({
    projects,
    audit,
  }) => {
    const put = async (name?: string) => projects.put('acme', name, anAuthor());
    const stored = await Promise.all(Array.from({ length: 5 }, async () => put()));
    expect(stored.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(stored.map(({ project }) => project.id)).size).toBe(1);
    const { project } = await put();
    expect(project).toMatchObject({ name: 'acme', externalId: 'acme' });
    expect(await put('Acme')).toEqual({ project: { ...project, name: 'Acme' }, isNew: false });
    expect(await put()).toEqual({ project: { ...project, name: 'Acme' }, isNew: false });
    const actions = (await audit.page(WHOLE)).items.map(({ action }) => action);
    expect(actions).toEqual(['project_renamed', 'project_created']);
    expect(await projects.idsOf(['acme', 'other'])).toEqual(new Map([['acme', project.id]]));
  });

  test('an external id belongs to one project, and is free once that gives it up', async ({ projects }) => {
    const one = await projects.create({ name: 'One', externalId: 'acme' }, anAuthor());
    const two = await projects.create({ name: 'Two' }, anAuthor());
    const taken = { code: 'already_exists', attr: 'external_id' };
    await expect(projects.create({ name: 'New', externalId: 'acme' }, anAuthor())).rejects.toMatchObject(
      taken,
    );
    await expect(projects.change(two.id, { externalId: 'acme' }, anAuthor())).rejects.toMatchObject(taken);
    expect(await projects.find(two.id)).toEqual(two);
    await projects.change(one.id, { externalId: null }, anAuthor());
    expect(await projects.change(two.id, { externalId: 'acme' }, anAuthor())).toEqual({
      ...two,
      externalId: 'acme',
    });
  });

  test('projects are found by external id, and by a part of it or of the name', async ({ projects }) => {
    const shop = await projects.create({ name: '100% Shop', externalId: 'acme-corp' }, anAuthor());
    const other = await projects.create({ name: 'The Acme store' }, anAuthor());
    const found = async (filter: object) => (await projects.list(WHOLE, { ids: [], ...filter })).items;
    expect(await found({ externalId: 'acme-corp' })).toEqual([shop]);
    expect(await found({ externalId: 'acme' })).toEqual([]);
    expect(await found({ search: 'ACME' })).toEqual([shop, other]);
    expect(await found({ search: '0% s' })).toEqual([shop]);
    expect(await found({ search: '_' })).toEqual([]);
    expect(await found({ search: 'acme', ids: [other.id] })).toEqual([other]);
    const named = await projects.create({ name: 'Acme' }, anAuthor());
    const known = await projects.create({ name: 'Store', externalId: 'ACME' }, anAuthor());
    expect(await found({ search: 'acme' })).toEqual([named, known, shop, other]);
  });

  test('projects are found by the plugins of their live records', async (ports) => {
    const [one, two, none] = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    for (const family of [one, one]) await aRecord(ports, family, { plugin: 7 });
    await aRecord(ports, two, { plugin: 8 });
    await aRecord(ports, none, { plugin: 7, deleted: true });
    const found = async (...plugins: readonly number[]) =>
      idsOf((await ports.projects.list(WHOLE, { ids: [], plugins })).items);
    expect(await found(7)).toEqual([one.projectId]);
    expect(await found(7, 8)).toEqual([one.projectId, two.projectId]);
    expect(await found(10)).toEqual([]);
    expect(await found()).toHaveLength(3);
  });

  test('renaming a project keeps its other values', async ({ projects }) => {
    const project = await projects.create({ name: 'Before' }, anAuthor({ at: secondsLater(1) }));
    const other = await projects.create({ name: 'Other' }, anAuthor({ at: secondsLater(1) }));
    expect(await projects.change(project.id, { name: 'After' }, anAuthor())).toEqual({
      ...project,
      name: 'After',
    });
    expect(await projects.find(project.id)).toEqual({ ...project, name: 'After' });
    expect(await projects.find(other.id)).toEqual(other);
  });

  test('the quota of a project is replaced as a whole, and its name is kept', async ({ projects }) => {
    const project = await projects.create({ name: 'Shop' }, anAuthor());
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

  test('a missing project cannot be changed', async ({ projects }) => {
    expect(await projects.change(4711, { name: 'After' }, anAuthor())).toBeNull();
  });
}
