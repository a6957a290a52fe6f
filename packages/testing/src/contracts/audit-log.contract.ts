import type { AuditEntry, Values } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aKeyHash, anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const NO_SECRETS: Values = new Map();

export function auditLogContract(test: TestWith<Ports>): void {
  test('every administrative change has an entry, newest first', async ({
    keys,
    projects,
    plugins,
    audit,
  }) => {
    const author = anAuthor({ requestId: 'request', at: secondsLater(5) });
    const { id: project } = await projects.create({ name: 'Shop' }, author);
    await projects.change(project, { name: 'Bakery' }, author);
    await projects.change(project, { logQuota: { entriesPerDay: 5, bytesPerDay: null } }, author);
    const { id: key } = await keys.add(anApiKey({ label: 'CI 🤖', projectIds: [project] }), author);
    await keys.revoke(key, null, author);
    await plugins.register(aPlugin({ id: 7, name: 'Slack' }), NO_SECRETS, author);
    await plugins.remove(7, author);
    const { count, items } = await audit.page({ limit: 10, offset: 0 });
    expect(count).toBe(7);
    expect(items).toEqual(
      [
        ['project_created', { type: 'project', id: project, name: 'Shop' }],
        ['project_renamed', { type: 'project', id: project, name: 'Bakery' }],
        ['project_quota_changed', { type: 'project', id: project, name: 'Bakery' }],
        ['key_issued', { type: 'key', id: key, name: 'CI 🤖' }],
        ['key_revoked', { type: 'key', id: key, name: 'CI 🤖' }],
        ['plugin_registered', { type: 'plugin', id: 7, name: 'Slack' }],
        ['plugin_removed', { type: 'plugin', id: 7, name: 'Slack' }],
      ]
        .map(([action, subject]) => ({ ...author, action, subject, id: expect.any(Number) }))
        .toReversed(),
    );
  });

  test('an entry names the key that made the change', async ({ keys, projects, audit }) => {
    const maker = await keys.add(anApiKey({ label: 'Maker' }), anAuthor());
    const actor = { keyId: maker.id, label: 'Maker' };
    await projects.create({ name: 'Shop' }, anAuthor({ actor }));
    expect(await newest(audit)).toMatchObject({ action: 'project_created', actor });
  });

  test('after concurrent renames, the newest entry is that of the last one', async ({ projects, audit }) => {
    const { id } = await projects.create({ name: '0' }, anAuthor());
    for (let round = 0; round < 30; round++) {
      const names = ['a', 'b', 'c', 'd'].map((name) => (name === 'd' && round % 2 === 0 ? 'a' : name));
      await Promise.all(names.map((name) => projects.change(id, { name }, anAuthor())));
      expect((await newest(audit))?.subject.name, `round ${round}`).toBe((await projects.find(id))?.name);
    }
  });

  test('a change without effect has no entry', async ({ keys, projects, plugins, audit }) => {
    const { id } = await keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    await keys.revoke(id, null, anAuthor());
    const before = await newest(audit);
    await keys.revoke(id, null, anAuthor());
    await keys.revoke(4711, null, anAuthor());
    await keys.add(anApiKey({ hash: aKeyHash(2), projectIds: [4711] }), anAuthor()).catch(() => undefined);
    await projects.change(4711, { name: 'Nobody' }, anAuthor());
    await plugins.remove(4711, anAuthor());
    expect(await newest(audit)).toEqual(before);
  });

  test('pages are consecutive', async ({ projects, audit }) => {
    for (const name of ['a', 'b', 'c']) await projects.create({ name }, anAuthor());
    const { count, items } = await audit.page({ limit: 1, offset: 1 });
    expect({ count, names: items.map(({ subject }) => subject.name) }).toEqual({ count: 3, names: ['b'] });
  });
}

async function newest(audit: Ports['audit']): Promise<AuditEntry | undefined> {
  return (await audit.page({ limit: 1, offset: 0 })).items[0];
}
