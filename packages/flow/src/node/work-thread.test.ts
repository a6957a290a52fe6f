import { expect, test } from 'vitest';
import { workThread, type PlainError } from './work-thread.ts';

const SOON = { remainingMs: 60_000 };

function openThread() {
  return workThread({
    entry: new URL('./work-thread.fixture.ts', import.meta.url),
    errorOf: (plain: PlainError) => Object.assign(new Error(plain.message), { plain }),
    tooLate: () => new Error('too late'),
  });
}

test('runs a task on another thread, and moves its buffers', async () => {
  const thread = openThread();
  const bytes = new Uint8Array([1, 2, 3]);
  const input = () => ({ value: bytes, moved: [bytes.buffer] });
  const doubled = await thread.run({ tenant: 1, name: 'double', input, until: SOON });
  expect([doubled, bytes.length]).toEqual([new Uint8Array([2, 4, 6]), 0]);
});

test('the tenant that has used the least time goes first', async () => {
  const thread = openThread();
  const ended: number[] = [];
  const run = (tenant: number, ms: number) =>
    thread
      .run({ tenant, name: 'spin', input: () => ({ value: ms }), until: SOON })
      .then(() => ended.push(tenant));
  const tasks = [run(1, 50), run(1, 50), run(1, 50), run(2, 1), run(2, 1), run(3, 1)];
  await Promise.all(tasks);
  expect(new Set(ended.slice(0, 3))).toEqual(new Set([1, 2, 3]));
});

test('an error keeps its fields and those of the errors it contains', async () => {
  const failing = openThread().run({
    tenant: 1,
    name: 'fail',
    input: () => ({ value: 'why' }),
    until: SOON,
  });
  await expect(failing).rejects.toMatchObject({
    message: 'why',
    plain: { name: 'RangeError', code: 'odd', errors: [{ name: 'SyntaxError', message: 'inner' }] },
  });
});

test('a waiting task ends at its deadline, and when its caller is gone', async () => {
  const thread = openThread();
  const hangUp = new AbortController();
  const run = (ms: number, until: Parameters<typeof thread.run>[0]['until']) =>
    thread.run({ tenant: 1, name: 'spin', input: () => ({ value: ms }), until });
  const running = run(200, SOON);
  const late = run(1, { remainingMs: 20 });
  const gone = run(1, { ...SOON, signal: hangUp.signal });
  hangUp.abort();
  await expect(gone).rejects.toThrow('too late');
  await expect(late).rejects.toThrow('too late');
  await expect(run(1, { remainingMs: 0 })).rejects.toThrow('too late');
  expect(await running).toBe(200);
});

test('a thread that ends fails its task, and the next task gets another one', async () => {
  const thread = openThread();
  const run = (name: string) => thread.run({ tenant: 1, name, input: () => ({ value: 1 }), until: SOON });
  const [failed, next] = await Promise.allSettled([run('exit'), run('spin')]);
  expect(failed).toMatchObject({ reason: new Error('The thread has ended.') });
  expect(next).toMatchObject({ value: 1 });
});
