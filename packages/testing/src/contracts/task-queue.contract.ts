import { TASK_KINDS, type NewTask, type Task, type TaskClaim } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const KIND = 'job';
const { leaseMs, longestWaitMs } = TASK_KINDS[KIND];
const HOUR_MS = 3_600_000;

export function taskQueueContract(test: TestWith<Ports>): void {
  test('a task is claimed once, and is gone once it is settled', async (ports) => {
    const added = await aTask(ports, { key: 4, payload: 'work' });
    expect([...(await ports.tasks.wake())]).toEqual([KIND]);
    const claimed = await claim(ports);
    expect(claimed).toEqual([{ ...added, id: expect.any(Number) as number, attempts: 1 }]);
    expect(await claim(ports)).toEqual([]);
    expect((await ports.tasks.backlog())[KIND]).toEqual({ due: 0, running: 1 });
    expect(await settleAll(ports, claimed)).toEqual([true]);
    expect(await settleAll(ports, claimed)).toEqual([false]);
    expect((await ports.tasks.wake()).size).toBe(0);
    expect((await ports.tasks.backlog())[KIND]).toEqual({ due: 0, running: 0 });
  });

  test('the tasks of a key run one at a time, in the order they were added', async (ports) => {
    const { projectId } = await aFamily(ports);
    const payloads = ['a', 'b', 'c'];
    for (const payload of payloads) await aTask(ports, { projectId, key: 1, payload });
    await aTask(ports, { projectId, key: 2 });
    const ran = [];
    for (let n = 0; n < 3; n++) {
      const claimed = await claim(ports);
      expect(claimed).toHaveLength(n === 0 ? 2 : 1);
      expect(await claim(ports)).toEqual([]);
      ran.push(claimed[0]?.payload);
      await settleAll(ports, claimed);
    }
    expect(ran).toEqual(payloads);
  });

  test('a task that is put off lets the next one run, and then comes first', async (ports) => {
    const { projectId } = await aFamily(ports);
    for (const payload of ['a', 'b', 'c']) await aTask(ports, { projectId, key: 1, payload });
    await settleAll(ports, await claim(ports), { dueInMs: 30_000 });
    const next = await claim(ports);
    expect(next).toMatchObject([{ payload: 'b' }]);
    await ports.passTime(30_000);
    await settleAll(ports, next);
    expect(await claim(ports)).toMatchObject([{ payload: 'a', attempts: 2 }]);
  });

  test('a task may get another payload for its next turn', async (ports) => {
    await aTask(ports, { payload: 'first' });
    await settleAll(ports, await claim(ports), { dueInMs: 0, payload: 'second' });
    expect(await claim(ports)).toMatchObject([{ payload: 'second' }]);
  });

  test('projects take turns, and then the keys of a project', async (ports) => {
    const [busy, other] = [await aFamily(ports), await aFamily(ports)];
    const add = (projectId: number, key: number) => aTask(ports, { projectId, key });
    for (let n = 0; n < 3; n++) for (const key of [1, 2]) await add(busy.projectId, key);
    for (const key of [3, 4]) await add(other.projectId, key);
    const turns = [];
    for (let n = 0; n < 8; n++) {
      const claimed = await claim(ports, { limit: 1 });
      turns.push(...claimed.map(({ key }) => key));
      await settleAll(ports, claimed);
    }
    expect(turns).toEqual([1, 3, 2, 4, 1, 2, 1, 2]);
  });

  test('one call claims a task of each project before the second of another', async (ports) => {
    const families = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    let key = 1;
    for (const { projectId } of families)
      for (let n = 0; n < 3; n++) await aTask(ports, { projectId, key: key++ });
    expect((await claim(ports, { limit: 4 })).map((task) => task.key)).toEqual([1, 2, 4, 7]);
  });

  test('a task is ensured once', async (ports) => {
    const { projectId } = await aFamily(ports);
    const task = { kind: KIND, projectId, accountId: null, key: 1, payload: null } as const;
    for (let n = 0; n < 2; n++) await ports.tasks.ensure(task);
    const [claimed] = await claim(ports);
    await ports.tasks.ensure(task);
    await settleAll(ports, [claimed as Task]);
    expect(await claim(ports)).toEqual([]);
    await ports.tasks.ensure(task);
    expect(await claim(ports)).toMatchObject([{ key: 1 }]);
  });

  test('tasks of excluded tenants and keys are not claimed', async (ports) => {
    const one = await aTask(ports, { key: 1 });
    const [two, three] = [await aTask(ports, { key: 2, accountId: 7 }), await aTask(ports, { key: 3 })];
    const exceptTenants = [-one.projectId, 7];
    expect(await claim(ports, { exceptTenants, exceptKeys: [3] })).toEqual([]);
    expect(await claim(ports, { exceptTenants })).toMatchObject([{ key: three.key }]);
    expect(await claim(ports, { onlyKeys: [two.key] })).toMatchObject([{ key: two.key }]);
    expect(await claim(ports)).toMatchObject([{ key: one.key }]);
  });

  test('a task that is held waits until its owner makes it due', async (ports) => {
    await aTask(ports);
    await settleAll(ports, await claim(ports), { dueInMs: Number.POSITIVE_INFINITY });
    await ports.passTime(HOUR_MS);
    expect(await claim(ports)).toEqual([]);
    expect((await ports.tasks.backlog())[KIND]).toEqual({ due: 0, running: 0 });
  });

  test('the tasks of a deleted project are not claimed', async (ports) => {
    await aTask(ports, { projectId: 4711 });
    expect(await claim(ports)).toEqual([]);
  });

  test('concurrent workers claim each task once, and never two of a key', async (ports) => {
    const { projectId } = await aFamily(ports);
    const payloads = Array.from({ length: 40 }, (_, n) => String(n));
    for (const payload of payloads) await aTask(ports, { projectId, key: Number(payload) % 4, payload });
    const [ran, running]: [string[], Set<number>] = [[], new Set()];
    const work = async () => {
      for (;;) {
        await ports.tasks.wake();
        const claimed = await claim(ports, { limit: 2 });
        if (claimed.length === 0 && ran.length === payloads.length) return;
        for (const task of claimed) {
          expect(running.has(task.key)).toBe(false);
          running.add(task.key);
          ran.push(task.payload ?? '');
        }
        for (const task of claimed) {
          running.delete(task.key);
          await ports.tasks.settle(task, null);
        }
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    for (let key = 0; key < 4; key++) {
      const own = payloads.filter((payload) => Number(payload) % 4 === key);
      expect(ran.filter((payload) => Number(payload) % 4 === key)).toEqual(own);
    }
  });

  test('a task whose worker is lost is claimed again after its lease, and only the latest claim settles it', async (ports) => {
    await aTask(ports, { payload: 'a' });
    const lost = await claim(ports);
    await ports.passTime(leaseMs - 10_000);
    expect(await claim(ports)).toEqual([]);
    await ports.passTime(10_000);
    const current = await claim(ports);
    expect(current).toMatchObject([{ payload: 'a', attempts: 2 }]);
    expect(await settleAll(ports, lost)).toEqual([false]);
    expect(await settleAll(ports, current)).toEqual([true]);
  });

  test('a worker whose lease has ended settles its task if nobody else has claimed it', async (ports) => {
    await aTask(ports);
    const claimed = await claim(ports);
    await ports.passTime(leaseMs);
    await ports.tasks.wake();
    expect(await settleAll(ports, claimed)).toEqual([true]);
  });

  test('a lost lease does not let a later task of the key overtake', async (ports) => {
    const { projectId } = await aFamily(ports);
    for (const payload of ['a', 'b']) await aTask(ports, { projectId, key: 1, payload });
    await claim(ports);
    await ports.passTime(leaseMs);
    expect(await claim(ports)).toMatchObject([{ payload: 'a' }]);
  });

  for (const seconds of [3, 20]) {
    test(`new tasks are claimed at once and in order after the clock has stepped back by ${seconds} s`, async (ports) => {
      const { projectId } = await aFamily(ports);
      await aTask(ports, { projectId, key: 1, payload: 'a' });
      await aTask(ports, { projectId, key: 1, payload: 'b' });
      await aTask(ports, { projectId, key: 2, payload: 'c' });
      const [running] = await claim(ports, { limit: 1 });
      await ports.passTime(-seconds * 1000);
      await aTask(ports, { projectId, key: 1, payload: 'd' });
      // The lease is still believed, since its worker is alive.
      expect(await claim(ports)).toMatchObject([{ payload: 'c' }]);
      await settleAll(ports, [running as Task]);
      const ran = [];
      for (let n = 0; n < 2; n++) {
        const claimed = await claim(ports);
        ran.push(...claimed.map(({ payload }) => payload));
        await settleAll(ports, claimed);
      }
      expect(ran).toEqual(['b', 'd']);
    });
  }

  test('leases and waits of a clock that was an hour ahead are not believed', async (ports) => {
    const { projectId } = await aFamily(ports);
    for (const [key, payload] of [
      [1, 'leased'],
      [1, 'later'],
      [2, 'put off'],
    ] as const)
      await aTask(ports, { projectId, key, payload });
    const [, waiting] = await claim(ports);
    await settleAll(ports, [waiting as Task], { dueInMs: longestWaitMs });
    await ports.passTime(-HOUR_MS);
    const claimed = await claim(ports);
    expect(claimed.map(({ payload }) => payload)).toEqual(['leased', 'put off']);
  });
}

async function aTask(ports: Ports, given: Partial<NewTask> = {}): Promise<NewTask> {
  const projectId = given.projectId ?? (await aFamily(ports)).projectId;
  const task = { kind: KIND, accountId: null, key: projectId, payload: null, ...given, projectId } as const;
  await ports.tasks.add([task]);
  return task;
}

/** Claims tasks as a worker does. */
async function claim({ tasks }: Ports, given: Partial<TaskClaim> = {}): Promise<readonly Task[]> {
  await tasks.wake();
  return tasks.claim(KIND, { limit: 10, exceptTenants: [], ...given });
}

function settleAll(
  { tasks }: Ports,
  claimed: readonly Task[],
  next: Parameters<Ports['tasks']['settle']>[1] = null,
): Promise<readonly boolean[]> {
  return Promise.all(claimed.map((task) => tasks.settle(task, next)));
}
