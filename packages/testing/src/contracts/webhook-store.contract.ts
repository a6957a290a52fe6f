import { OLD_SECRET_MS, SERVICE, WEBHOOKS_MAX, type RunningDispatch } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aWebhook, someWebhookSettings } from '../builders/a-webhook.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { WHOLE } from './read-state.ts';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

export function webhookStoreContract(test: TestWith<Ports>): void {
  test('a webhook is created with its own secret, and found only in its project', async (ports) => {
    const [{ projectId }, other] = [await aFamily(ports), await aFamily(ports)];
    expect(await ports.webhooks.page(projectId, null, WHOLE)).toEqual({ count: 0, items: [] });
    const settings = someWebhookSettings({ events: ['record.deleted', 'incident.opened'] });
    const { webhook, secret } = await ports.webhooks.create(projectId, settings, anAuthor());
    expect(secret).toMatch(SECRET);
    expect(webhook).toEqual({
      id: webhook.id,
      projectId,
      ...settings,
      version: 1,
      createdAt: MOMENT,
      updatedAt: MOMENT,
      disabledReason: null,
      lastDeliveredAt: null,
      pausedAt: null,
    });
    const second = await aWebhook(ports, projectId);
    expect(second.secret).not.toBe(secret);
    expect(await ports.webhooks.find(projectId, webhook.id)).toEqual(webhook);
    expect(await ports.webhooks.find(other.projectId, webhook.id)).toBeNull();
    const items = [webhook, second.webhook];
    expect(await ports.webhooks.page(projectId, null, WHOLE)).toEqual({ count: 2, items });
    expect(await ports.webhooks.page(projectId, null, { limit: 1, offset: 1 })).toEqual({
      count: 2,
      items: [second.webhook],
    });
    expect(await ports.webhooks.page(other.projectId, null, WHOLE)).toEqual({ count: 0, items: [] });
  });

  test('a project has a limited number of webhooks, even if they are created concurrently', async (ports) => {
    const [{ projectId }, other] = [await aFamily(ports), await aFamily(ports)];
    const create = () => aWebhook(ports, projectId);
    const results = await Promise.allSettled(Array.from({ length: WEBHOOKS_MAX + 2 }, create));
    const rejected = results.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(2);
    expect(rejected[0]).toMatchObject({ reason: { code: 'invalid_input' } });
    await aWebhook(ports, other.projectId);
  });

  test('a deleted project gets no webhook', async (ports) => {
    const { projectId } = await aFamily(ports);
    await ports.erasures.start(projectId, 'Project', anAuthor());
    await expect(aWebhook(ports, projectId)).rejects.toMatchObject({ code: 'project_not_found' });
  });

  test('a URL is unique within the project, also if webhooks are created or changed concurrently', async (ports) => {
    const [{ projectId }, other] = [await aFamily(ports), await aFamily(ports)];
    const taken = { code: 'already_exists', attr: 'url' };
    const url = 'https://hooks.example/a';
    const create = () => aWebhook(ports, projectId, { url });
    const created = await Promise.allSettled([create(), create(), create()]);
    const rejected = created.filter(({ status }) => status === 'rejected');
    expect(rejected).toMatchObject([{ reason: taken }, { reason: taken }]);
    await aWebhook(ports, other.projectId, { url });
    const moved = [await aWebhook(ports, projectId), await aWebhook(ports, projectId)];
    const move = (id: number, to: string) =>
      ports.webhooks.change(projectId, id, null, (now) => ({ ...now, url: to }), anAuthor());
    await expect(move(moved[0]?.webhook.id ?? 0, url)).rejects.toMatchObject(taken);
    const moves = moved.map(async ({ webhook }) => move(webhook.id, 'https://hooks.example/b'));
    const outcomes = await Promise.allSettled(moves);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { items } = await ports.webhooks.page(projectId, null, WHOLE);
    expect(new Set(items.map((one) => one.url)).size).toBe(3);
    const first = items.find((one) => one.url === url)?.id ?? 0;
    expect(await ports.webhooks.rotate(projectId, first, anAuthor())).toMatchObject({ webhook: { url } });
    await ports.webhooks.delete(projectId, first, null, anAuthor());
    expect((await create()).webhook.id).not.toBe(first);
  });

  test('a webhook is changed if its version matches; a change without effect does nothing', async (ports) => {
    const [{ projectId }, other] = [await aFamily(ports), await aFamily(ports)];
    const { webhook } = await aWebhook(ports, projectId);
    const { id } = webhook;
    const author = anAuthor({ at: secondsLater(60) });
    const same = await ports.webhooks.change(projectId, id, [1], (current) => current, author);
    expect(same).toEqual(webhook);
    const settings = someWebhookSettings({ url: 'https://b.example/', events: ['record.created'] });
    const changed = await ports.webhooks.change(projectId, id, [7, 1], () => settings, author);
    expect(changed).toEqual({ ...webhook, ...settings, version: 2, updatedAt: author.at });
    expect(await ports.webhooks.find(projectId, id)).toEqual(changed);
    const stale = ports.webhooks.change(projectId, id, [1], () => settings, author);
    await expect(stale).rejects.toMatchObject({ code: 'stale_version' });
    expect(await ports.webhooks.change(other.projectId, id, null, () => settings, author)).toBeNull();
  });

  test('a webhook is deleted if its version matches', async (ports) => {
    const [{ projectId }, other] = [await aFamily(ports), await aFamily(ports)];
    const { id } = (await aWebhook(ports, projectId)).webhook;
    const stale = ports.webhooks.delete(projectId, id, [2], anAuthor());
    await expect(stale).rejects.toMatchObject({ code: 'stale_version' });
    expect(await ports.webhooks.delete(other.projectId, id, null, anAuthor())).toBe(false);
    await ports.dispatches.test(projectId, id, anAuthor());
    expect(await ports.webhooks.delete(projectId, id, [1], anAuthor())).toBe(true);
    expect(await ports.webhooks.delete(projectId, id, null, anAuthor())).toBe(false);
    expect(await ports.webhooks.find(projectId, id)).toBeNull();
    expect(await ports.dispatches.page(projectId, id, WHOLE)).toEqual({ count: 0, items: [] });
    expect((await ports.tasks.backlog()).dispatch.due).toBe(0);
  });

  test('a replaced secret also signs deliveries for a day', async (ports) => {
    const { projectId } = await aFamily(ports);
    const { webhook, secret } = await aWebhook(ports, projectId);
    const { id } = webhook;
    const secretsOf = async () => {
      await ports.dispatches.test(projectId, id, anAuthor());
      const claimed = await beginNext(ports);
      if (claimed.target instanceof Error) throw claimed.target;
      await ports.tasks.settle(claimed.task, null);
      return claimed.target.secrets;
    };
    expect(await secretsOf()).toEqual([secret]);
    const expiredAt = new Date(Date.now() - OLD_SECRET_MS - 60_000);
    const first = await ports.webhooks.rotate(projectId, id, anAuthor({ at: expiredAt }));
    expect(first?.secret).toMatch(SECRET);
    expect(await secretsOf()).toEqual([first?.secret]);
    const rotatedAt = new Date(Date.now() - OLD_SECRET_MS + 60_000);
    const second = await ports.webhooks.rotate(projectId, id, anAuthor({ at: rotatedAt }));
    expect(second?.webhook).toEqual({ ...webhook, version: 3, updatedAt: rotatedAt });
    expect(await secretsOf()).toEqual([second?.secret, first?.secret]);
    expect(await ports.webhooks.rotate(projectId + 1, id, anAuthor())).toBeNull();
  });

  test('rotating again does not shorten the day of earlier secrets, up to four', async (ports) => {
    const { projectId } = await aFamily(ports);
    const { webhook, secret } = await aWebhook(ports, projectId);
    const secrets = [secret];
    for (let i = 0; i < 5; i++) {
      const rotated = await ports.webhooks.rotate(projectId, webhook.id, anAuthor({ at: new Date() }));
      secrets.unshift(rotated?.secret ?? '');
    }
    await ports.dispatches.test(projectId, webhook.id, anAuthor());
    const claimed = await beginNext(ports);
    expect(claimed.target).toMatchObject({ secrets: secrets.slice(0, 5) });
  });

  test('a webhook for all projects is stored like one of a project, but belongs to none', async (ports) => {
    const { projectId } = await aFamily(ports);
    const url = 'https://hooks.example/a';
    const { webhook } = await aWebhook(ports, SERVICE, { url, plugin: 8 });
    await aWebhook(ports, projectId, { url });
    await expect(aWebhook(ports, SERVICE, { url })).rejects.toMatchObject({
      code: 'already_exists',
      attr: 'url',
    });
    await expect(ports.webhooks.page(SERVICE, 8, WHOLE)).resolves.toEqual({ count: 1, items: [webhook] });
    expect(await ports.webhooks.page(SERVICE, 7, WHOLE)).toEqual({ count: 0, items: [] });
    expect(await ports.webhooks.find(projectId, webhook.id)).toBeNull();
    const { id } = webhook;
    await ports.webhooks.rotate(SERVICE, id, anAuthor());
    const changed = await ports.webhooks.change(
      SERVICE,
      id,
      [2],
      (now) => ({ ...now, plugin: null }),
      anAuthor(),
    );
    expect(changed).toMatchObject({ url, plugin: null, version: 3 });
    for (let n = 1; n < WEBHOOKS_MAX; n++) await aWebhook(ports, SERVICE);
    await expect(aWebhook(ports, SERVICE)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await ports.webhooks.delete(SERVICE, id, null, anAuthor())).toBe(true);
    const { items } = await ports.audit.page({ limit: 1, offset: 0 });
    expect(items[0]?.subject).toEqual({ type: 'webhook', id, name: 'hooks.example' });
  });

  test('the audit log names the host, but nothing else of a URL', async (ports) => {
    const { projectId } = await aFamily(ports);
    const { id } = (await aWebhook(ports, projectId)).webhook;
    await ports.webhooks.change(projectId, id, null, (now) => ({ ...now, enabled: false }), anAuthor());
    await ports.webhooks.rotate(projectId, id, anAuthor());
    await ports.webhooks.delete(projectId, id, null, anAuthor());
    const { items } = await ports.audit.page({ limit: 4, offset: 0 });
    expect(items.map(({ action }) => action)).toEqual([
      'webhook_deleted',
      'webhook_rotated',
      'webhook_changed',
      'webhook_created',
    ]);
    for (const { subject } of items)
      expect(subject).toEqual({ type: 'webhook', id, name: 'hooks.example', projectId });
  });
}

async function beginNext({ tasks, dispatchRuns }: Ports): Promise<RunningDispatch> {
  const [task] = await tasks.claim('dispatch', { limit: 1, exceptTenants: [] });
  const dispatch = task === undefined ? null : await dispatchRuns.begin(task);
  if (dispatch === null) throw new Error('Nothing was claimed.');
  return dispatch;
}
