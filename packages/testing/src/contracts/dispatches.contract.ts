import {
  DAY_MS,
  eraseProject,
  RETRIED_MS,
  SERVICE,
  TASK_KINDS,
  type RunningDispatch,
  type DispatchSettlement,
  type SignedWebhook,
  type Task,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { ACCEPTED, aWebhook, REJECTED } from '../builders/a-webhook.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { droppedBy } from './dropped-by.ts';
import { WHOLE } from './read-state.ts';
import { seededPick } from './seeded-pick.ts';

const LEASE_MS = TASK_KINDS.dispatch.leaseMs;
const DELIVERED: DispatchSettlement = { outcome: ACCEPTED, verdict: 'delivered', disable: null };
const RETRY: DispatchSettlement = { outcome: REJECTED, verdict: { retryInMs: 5000 }, disable: null };
const FAILED: DispatchSettlement = { outcome: REJECTED, verdict: 'failed', disable: null };
const GONE: DispatchSettlement = { outcome: REJECTED, verdict: 'failed', disable: 'gone' };
const FAILING: DispatchSettlement = { outcome: REJECTED, verdict: 'failed', disable: 'failing' };
const MISSING = '01890a5d-ac96-7b62-8d5c-1f0a3c9d2e4b';

export function dispatchesContract(test: TestWith<Ports>): void {
  test('a queued delivery is claimed once, with its URL and signing secrets', async (ports) => {
    const { webhook, secret } = await webhookOf(ports);
    const queued = await queueTest(ports, webhook);
    expect(queued).toMatchObject({
      webhookId: webhook.id,
      type: 'webhook.test',
      state: 'pending',
      attempts: 0,
    });
    expect(JSON.parse(queued.payload)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: webhook.id },
    });
    const claimed = await claim(ports);
    expect(claimed).toEqual([
      {
        id: queued.id,
        webhookId: webhook.id,
        task: expect.objectContaining({ attempts: 1 }) as Task,
        type: 'webhook.test',
        payload: queued.payload,
        attempts: 1,
        at: expect.any(Date) as Date,
        target: { url: webhook.url, secrets: [secret] },
        failingSince: null,
      },
    ]);
    expect(await claim(ports)).toEqual([]);
  });

  test('a webhook has one delivery in flight, in the order of the events, and others are independent', async (ports) => {
    const [one, other] = [await webhookOf(ports), await webhookOf(ports)];
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await queueTest(ports, one.webhook)).id);
    const { id: otherId } = await queueTest(ports, other.webhook);
    const first = await claim(ports);
    expect(new Set(idsIn(first))).toEqual(new Set([ids[0], otherId]));
    expect(await claim(ports)).toEqual([]);
    const ofOne = first.filter(({ webhookId }) => webhookId === one.webhook.id);
    await settleAll(ports, ofOne, DELIVERED);
    const second = await claim(ports);
    expect(idsIn(second)).toEqual([ids[1]]);
    await settleAll(ports, second, RETRY);
    // A delivery that waits for its retry does not delay the next one.
    expect(idsIn(await claim(ports))).toEqual([ids[2]]);
  });

  test('a webhook for all projects has eight deliveries in flight, one of each project, in order', async (ports) => {
    const { webhook } = await aWebhook(ports, SERVICE, { events: ['record.created'] });
    const families = [];
    while (families.length < 20) families.push(await aFamily(ports));
    const created = [];
    for (const family of [...families, ...families]) created.push(await aRecord(ports, family));
    const first = await claim(ports);
    expect(new Set(first.map((dispatch) => subjectOf(dispatch).project_id)).size).toBe(8);
    expect(await claim(ports)).toEqual([]);
    await settleAll(ports, first, FAILED);
    const attempted = [...first, ...(await failAll(ports))].map(subjectOf);
    for (const { projectId } of families) {
      const isOwn = (id: number) => id === projectId;
      expect(attempted.filter((one) => isOwn(one.project_id)).map((one) => one.record_id)).toEqual(
        created.filter((record) => isOwn(record.projectId)).map(({ id }) => id),
      );
    }
    const time = { since: new Date(0), until: new Date(Date.now() + DAY_MS) };
    expect(await ports.dispatches.recover(SERVICE, webhook.id, time)).toBe(created.length);
    expect(await claim(ports)).toHaveLength(8);
    await enable(ports, webhook, false);
    await ports.webhooks.delete(SERVICE, webhook.id, null, anAuthor());
    expect((await ports.tasks.backlog()).dispatch).toEqual({ due: 0, running: 0 });
  });

  test('the result of an attempt is stored', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const { id } = await queueTest(ports, webhook);
    await settleAll(ports, await claim(ports), RETRY);
    const failure = { lastStatus: 500, lastError: REJECTED.error, lastResponse: 'Oh no' };
    const retried = await deliveryOf(ports, webhook, id);
    expect(retried).toMatchObject({ ...failure, state: 'pending', attempts: 1, finishedAt: null });
    const waitMs = (retried?.dueAt?.getTime() ?? 0) - Date.now();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(5000);
    expect(await claim(ports)).toEqual([]);
    await ports.passTime(5000);
    const [second] = await claim(ports);
    expect(second).toMatchObject({ id, attempts: 2 });
    expect(second?.failingSince).toBeInstanceOf(Date);
    await settleAll(ports, second === undefined ? [] : [second], DELIVERED);
    const finished = {
      state: 'delivered',
      dueAt: null,
      lastStatus: 204,
      lastError: null,
      lastResponse: null,
    };
    expect(await deliveryOf(ports, webhook, id)).toMatchObject({ ...finished, attempts: 2 });
    const after = await ports.webhooks.find(webhook.projectId, webhook.id);
    expect(after?.lastDeliveredAt).toBeInstanceOf(Date);
    expect(after).toMatchObject({ version: 1, updatedAt: webhook.updatedAt });
    await queueTest(ports, webhook);
    expect(await claim(ports)).toMatchObject([{ failingSince: null }]);
  });

  test('a disabled webhook gets the events from before, unless it is disabled for longer than retries take', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const { projectId, id } = webhook;
    const old = await queueTest(ports, webhook);
    await ports.passTime(RETRIED_MS - 1000);
    const young = await queueTest(ports, webhook);
    await enable(ports, webhook, false);
    await ports.passTime(2000);
    await enable(ports, webhook, true);
    expect(idsIn(await claim(ports))).toEqual([young.id]);
    expect(await deliveryOf(ports, webhook, old.id)).toMatchObject({ state: 'failed', dueAt: null });
    await ports.webhooks.delete(projectId, id, null, anAuthor());
    expect((await ports.tasks.backlog()).dispatch).toEqual({ due: 0, running: 0 });
  });

  test('a delivery is claimed again after its lease, and then the first claim cannot settle it', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const { id } = await queueTest(ports, webhook);
    const [lost] = await claim(ports);
    await ports.passTime(LEASE_MS - 1000);
    expect(await claim(ports)).toEqual([]);
    await ports.passTime(1000);
    const [current] = await claim(ports);
    expect(current).toMatchObject({ id, attempts: 2, task: { attempts: 2 } });
    expect(await ports.dispatchRuns.settle(lost as RunningDispatch, FAILED)).toBe(false);
    expect(await ports.dispatchRuns.settle(current as RunningDispatch, DELIVERED)).toBe(true);
    expect(await ports.dispatchRuns.settle(current as RunningDispatch, FAILED)).toBe(false);
    expect(await deliveryOf(ports, webhook, id)).toMatchObject({ state: 'delivered' });
  });

  test('a delivery is sent again with its id and payload, even while it is in flight', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const { id, payload } = await queueTest(ports, webhook);
    const resend = () => ports.dispatches.resend(webhook.projectId, webhook.id, id);
    await settleAll(ports, await claim(ports), FAILED);
    expect(await deliveryOf(ports, webhook, id)).toMatchObject({ state: 'failed', attempts: 1 });
    expect(await resend()).toMatchObject({ id, payload, state: 'pending', attempts: 0, finishedAt: null });
    const inFlight = await claim(ports);
    expect(inFlight).toMatchObject([{ id, payload, attempts: 1 }]);
    await resend();
    expect(await ports.dispatchRuns.settle(inFlight[0] as RunningDispatch, DELIVERED)).toBe(false);
    expect(await claim(ports)).toMatchObject([{ id, attempts: 1 }]);
    const { projectId } = await aFamily(ports);
    expect(await ports.dispatches.resend(projectId, webhook.id, id)).toBeNull();
    expect(await ports.dispatches.resend(webhook.projectId, webhook.id, MISSING)).toBeNull();
    expect(await ports.dispatches.test(projectId, webhook.id, anAuthor())).toBeNull();
  });

  test('the failed deliveries of a time are queued again, in order', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const { projectId, id: webhookId } = webhook;
    const delivered = await queueTest(ports, webhook);
    await settleAll(ports, await claim(ports), DELIVERED);
    const failed = [await queueTest(ports, webhook), await queueTest(ports, webhook)];
    await failAll(ports);
    const recover = (since: number, until: number) =>
      ports.dispatches.recover(projectId, webhookId, { since: new Date(since), until: new Date(until) });
    const [first, last] = failed.map(({ createdAt }) => createdAt.getTime()) as [number, number];
    expect(await recover(last + 1, last + DAY_MS)).toBe(0);
    expect(await recover(0, first)).toBe(0);
    expect(await recover(delivered.createdAt.getTime(), last + 1)).toBe(2);
    expect(await recover(0, last + 1)).toBe(0);
    const again = await failAll(ports);
    expect(again).toMatchObject(failed.map(({ id, payload }) => ({ id, payload, attempts: 1 })));
    expect(await recover(first, last + 1)).toBe(2);
    await enable(ports, webhook, false);
    await expect(recover(first, last + 1)).rejects.toMatchObject({ code: 'invalid_input', attr: 'enabled' });
    const other = await aFamily(ports);
    const ofAll = { since: new Date(0), until: new Date(last + 1) };
    expect(await ports.dispatches.recover(other.projectId, webhookId, ofAll)).toBeNull();
  });

  test('the deliveries of a disabled webhook wait until it is enabled', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const { projectId, id } = webhook;
    const queued = await queueTest(ports, webhook);
    await enable(ports, webhook, false);
    expect(await claim(ports)).toEqual([]);
    const disabled = { code: 'invalid_input', attr: 'enabled' };
    await expect(queueTest(ports, webhook)).rejects.toMatchObject(disabled);
    const resent = ports.dispatches.resend(projectId, id, queued.id);
    await expect(resent).rejects.toMatchObject(disabled);
    await enable(ports, webhook, true);
    expect(idsIn(await claim(ports))).toEqual([queued.id]);
  });

  test('a webhook is disabled with a reason, until a person enables it', async (ports) => {
    for (const [settlement, disabledReason] of [
      [GONE, 'gone'],
      [FAILING, 'failing'],
    ] as const) {
      const { webhook } = await webhookOf(ports);
      const { id } = await queueTest(ports, webhook);
      await queueTest(ports, webhook);
      await settleAll(ports, await claim(ports), settlement);
      expect(await deliveryOf(ports, webhook, id)).toMatchObject({ state: 'failed' });
      const disabled = await ports.webhooks.find(webhook.projectId, webhook.id);
      expect(disabled).toMatchObject({ enabled: false, disabledReason, version: 2 });
      expect(await claim(ports)).toEqual([]);
      expect(await enable(ports, webhook, true)).toMatchObject({ disabledReason: null, version: 3 });
      const again = await claim(ports);
      expect(again).toMatchObject([{ failingSince: null }]);
      await settleAll(ports, again, DELIVERED);
    }
  });

  test('a webhook that is changed or deleted during an attempt is settled as far as it exists', async (ports) => {
    const [kept, gone] = [await webhookOf(ports), await webhookOf(ports)];
    for (const { webhook } of [kept, gone]) await queueTest(ports, webhook);
    const claimed = await claim(ports);
    const claimOf = ({ webhook }: SignedWebhook) =>
      claimed.find(({ webhookId }) => webhookId === webhook.id) as RunningDispatch;
    await enable(ports, kept.webhook, false);
    await ports.webhooks.delete(gone.webhook.projectId, gone.webhook.id, null, anAuthor());
    expect(await ports.dispatchRuns.settle(claimOf(kept), GONE)).toBe(true);
    expect(await ports.dispatchRuns.settle(claimOf(gone), DELIVERED)).toBe(false);
    const after = await ports.webhooks.find(kept.webhook.projectId, kept.webhook.id);
    expect(after).toMatchObject({ enabled: false, disabledReason: null, version: 2 });
  });

  test('webhooks are changed while events are queued and attempted, without a deadlock', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const ref = { projectId: webhook.projectId, family: 'plugin_configs' } as const;
    const pick = seededPick(1);
    const done = new AbortController();
    const changing = (async () => {
      for (let n = 0; n < 20; n++) {
        await aRecord(ports, ref);
        await enable(ports, webhook, n % 2 === 1);
      }
    })().finally(() => done.abort());
    const delivering = async () => {
      while (!done.signal.aborted) {
        for (const claimed of await claim(ports, 1)) {
          await ports.dispatchRuns.settle(claimed, pick(5) === 0 ? GONE : DELIVERED);
        }
      }
    };
    await Promise.all([changing, delivering(), delivering()]);
  });

  test('a webhook that is disabled keeps the time of its last change if the clock is behind that', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const { projectId, id } = webhook;
    const at = new Date(Date.now() + DAY_MS);
    const events = ['record.created'] as const;
    await ports.webhooks.change(projectId, id, null, (now) => ({ ...now, events }), anAuthor({ at }));
    await queueTest(ports, webhook);
    await settleAll(ports, await claim(ports), GONE);
    expect(await ports.webhooks.find(projectId, id)).toMatchObject({ enabled: false, updatedAt: at });
  });

  test('deliveries are listed newest first, and deleted once they are old enough', async (ports) => {
    const { webhook } = await webhookOf(ports);
    const { projectId, id } = webhook;
    const old = await queueTest(ports, webhook);
    await settleAll(ports, await claim(ports), DELIVERED);
    await ports.passTime(DAY_MS);
    const [second, third] = [await queueTest(ports, webhook), await queueTest(ports, webhook)];
    const listed = await ports.dispatches.page(projectId, id, WHOLE);
    expect(idsIn(listed.items)).toEqual([third.id, second.id, old.id]);
    expect(await ports.dispatches.page(projectId, id, { limit: 1, offset: 1 })).toEqual({
      count: 3,
      items: [second],
    });
    expect(await droppedBy(ports.retention.dispatches(DAY_MS))).toBe(1);
    expect(await droppedBy(ports.retention.dispatches(DAY_MS))).toBe(0);
    expect((await ports.dispatches.page(projectId, id, WHOLE)).count).toBe(2);
  });

  test('the events of a deleted project are not sent', async (ports) => {
    const { webhook } = await webhookOf(ports);
    await aRecord(ports, { projectId: webhook.projectId, family: 'plugin_configs' });
    await queueTest(ports, webhook);
    await ports.erasures.start(webhook.projectId, 'Project', anAuthor());
    expect(await claim(ports)).toEqual([]);
    for await (const _ of eraseProject(ports, webhook.projectId));
    expect(await claim(ports)).toEqual([]);
  });
}

async function webhookOf(ports: Ports): Promise<SignedWebhook> {
  return aWebhook(ports, (await aFamily(ports)).projectId);
}

type Webhook = SignedWebhook['webhook'];

async function queueTest({ dispatches }: Ports, { projectId, id }: Webhook) {
  const delivery = await dispatches.test(projectId, id, anAuthor());
  if (delivery === null) throw new Error('There is no such webhook.');
  return delivery;
}

function subjectOf({ payload }: RunningDispatch) {
  return (JSON.parse(payload) as { data: { project_id: number; record_id: number } }).data;
}

/** Claims and begins dispatches, as a worker does. */
async function claim(ports: Ports, limit = 10): Promise<readonly RunningDispatch[]> {
  await ports.tasks.wake();
  const tasks = await ports.tasks.claim('dispatch', { limit, exceptTenants: [] });
  const begun = await Promise.all(tasks.map((task) => ports.dispatchRuns.begin(task)));
  return begun.filter((dispatch) => dispatch !== null);
}

async function settleAll(
  { dispatchRuns }: Ports,
  claimed: readonly RunningDispatch[],
  settlement: DispatchSettlement,
): Promise<void> {
  for (const delivery of claimed) expect(await dispatchRuns.settle(delivery, settlement)).toBe(true);
}

/** Attempts all that are due, one after the other. */
async function failAll(ports: Ports): Promise<readonly RunningDispatch[]> {
  const all: RunningDispatch[] = [];
  for (;;) {
    const claimed = await claim(ports);
    if (claimed.length === 0) return all;
    await settleAll(ports, claimed, FAILED);
    all.push(...claimed);
  }
}

async function deliveryOf({ dispatches }: Ports, webhook: Webhook, id: string) {
  const { items } = await dispatches.page(webhook.projectId, webhook.id, WHOLE);
  return items.find((delivery) => delivery.id === id);
}

function enable({ webhooks }: Ports, { projectId, id }: Webhook, enabled: boolean) {
  return webhooks.change(projectId, id, null, (now) => ({ ...now, enabled }), anAuthor());
}

function idsIn(items: readonly { readonly id: string }[]): readonly string[] {
  return items.map(({ id }) => id);
}
