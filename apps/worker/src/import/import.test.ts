import { setTimeout as sleep } from 'node:timers/promises';
import { MESSAGE_TEXT_MAX } from '@plugin-config/domain';
import { aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { sampled } from '../../../../tools/property-runs.ts';
import type { TestBed } from '../testing/test-bed.ts';
import { anEntry, ndjson } from '../testing/entries.ts';
import { aFile, importFile } from '../testing/import-file.ts';
import { test } from '../testing/worker.fixture.ts';

/** Far more than the first batch. */
const MANY = 40_000;

async function stored(bed: TestBed, recordId: number): Promise<readonly string[]> {
  const sql = 'select message from log_entry where record_id = $1 order by timestamp, id';
  return (await bed.rows<{ message: string }>(sql, [recordId])).map(({ message }) => message);
}

/** Resolves once the first batch is stored. */
async function untilUnderWay(bed: TestBed, recordId: number): Promise<void> {
  const sql = 'select from log_entry where record_id = $1 limit 1';
  while ((await bed.rows(sql, [recordId])).length === 0) await sleep(5);
}

test('importing a file again stores no line twice, not even lines without an id or a time', async ({
  bed,
}) => {
  const { id } = await aRecord(bed.ports, bed.family);
  const timestamp = new Date().toISOString();
  const lines = [
    anEntry(id, { message: 'whole' }),
    { plugin_config_id: id, timestamp, message: 'twin' },
    { plugin_config_id: id, timestamp, message: 'twin' },
    { plugin_config_id: id, message: 'bare' },
    { plugin_config_id: id, message: 'bare' },
  ];
  const path = await aFile(`${ndjson(lines)}not JSON`);
  expect(await importFile(bed, path)).toEqual({
    isComplete: true,
    stdout: '{"stored":5,"duplicates":0,"dead":1}\n',
    stderr: expect.stringMatching(
      /^6 entries, \d+ a second: 5 stored, 0 duplicates, 1 dead letters, in \d+\.\d s\.\n$/,
    ),
  });
  const again = { isComplete: true, stdout: '{"stored":0,"duplicates":5,"dead":1}\n' };
  expect(await importFile(bed, path)).toMatchObject(again);
  expect(await stored(bed, id)).toHaveLength(5);
  expect(await bed.ports.deadLetters.count()).toBe(1);
});

test('lines with the same time keep their order', async ({ bed }) => {
  const { id } = await aRecord(bed.ports, bed.family);
  const messages = Array.from({ length: 50 }, (_, i) => `line ${i}`);
  const path = await aFile(ndjson(messages.map((message) => ({ plugin_config_id: id, message }))));
  await importFile(bed, path);
  expect(await stored(bed, id)).toEqual(messages);
});

test('an import that is killed and run again stores each line once', async ({ bed }) => {
  const { id } = await aRecord(bed.ports, bed.family);
  const timestamp = Date.now() - MANY;
  const entries = Array.from({ length: MANY }, (_, i) => ({
    plugin_config_id: id,
    timestamp: new Date(timestamp + i).toISOString(),
    message: `line ${i}`,
  }));
  const path = await aFile(ndjson(entries));
  const killed = bed.run({}, ['--input', path]);
  await untilUnderWay(bed, id);
  killed.child.kill('SIGKILL');
  await killed.exited;
  expect((await stored(bed, id)).length).toBeLessThan(MANY);
  expect(await importFile(bed, path)).toMatchObject({ isComplete: true });
  expect(await stored(bed, id)).toEqual(entries.map(({ message }) => message));
});

test('reads standard input until it ends', async ({ bed }) => {
  const { id } = await aRecord(bed.ports, bed.family);
  const running = bed.run({}, ['--input', '-']);
  running.child.stdin?.write(ndjson([anEntry(id)]));
  await expect.poll(() => stored(bed, id)).toHaveLength(1);
  running.child.stdin?.end(ndjson([anEntry(id)]));
  expect([await running.exited, running.stdout()]).toEqual([0, '{"stored":2,"duplicates":0,"dead":0}\n']);
});

test.for(sampled(['SIGTERM', 'SIGINT'] as const, 1))(
  'an import that is interrupted by %s fails, prints its progress, and stores the rest when it is run again',
  async (signal, { bed }) => {
    const { id } = await aRecord(bed.ports, bed.family);
    const timestamp = new Date().toISOString();
    const messages = Array.from({ length: MANY }, (_, i) => `line ${i}`);
    const path = await aFile(
      ndjson(messages.map((message) => ({ plugin_config_id: id, timestamp, message }))),
    );
    const interrupted = bed.run({}, ['--input', path]);
    await untilUnderWay(bed, id);
    interrupted.child.kill(signal);
    expect(await interrupted.exited).toBe(1);
    const count = (await stored(bed, id)).length;
    expect(count).toBeLessThan(MANY);
    expect(interrupted.stdout()).toBe(`{"stored":${count},"duplicates":0,"dead":0}\n`);
    expect(interrupted.stderr()).toContain(
      'The import was stopped by a signal. The remaining lines were not stored.',
    );
    expect(await importFile(bed, path)).toMatchObject({
      isComplete: true,
      stdout: `{"stored":${MANY - count},"duplicates":${count},"dead":0}\n`,
    });
    expect(await stored(bed, id)).toEqual(messages);
  },
);

/** Linux has a file that can be opened but not read. */
test.runIf(process.platform === 'linux')('fails if the input ends with an error', async ({ bed }) => {
  expect(await importFile(bed, '/proc/self/mem')).toEqual({
    isComplete: false,
    stdout: '{"stored":0,"duplicates":0,"dead":0}\n',
    stderr: expect.stringMatching(
      /The input could not be read to its end: [^\n]*EIO[^\n]* Run the import again/,
    ),
  });
});

test('a line that is too long becomes a dead letter, and even an endless line needs little memory', async ({
  bed,
}) => {
  const running = bed.run({}, ['--input', '-']);
  const { stdin } = running.child;
  const long = anEntry(bed.record.id, { message: 'y'.repeat(MESSAGE_TEXT_MAX) });
  const last = anEntry(bed.record.id, { message: 'last' });
  stdin?.write(ndjson([long]));
  for (let i = 0; i < 100; i++) await new Promise((resolve) => stdin?.write('z'.repeat(1_000_000), resolve));
  stdin?.end(`\n${ndjson([last])}`);
  expect([await running.exited, running.stdout()]).toEqual([0, '{"stored":1,"duplicates":0,"dead":2}\n']);
  const letters = await bed.ports.deadLetters.list({ after: 0, limit: 10 });
  const kept = letters.filter(({ reason }) => reason === 'too_long');
  expect(kept.map(({ text }) => [text.length, text.at(-1)])).toEqual([
    [MESSAGE_TEXT_MAX, 'y'],
    [MESSAGE_TEXT_MAX, 'z'],
  ]);
  expect(kept.every(({ missing }) => missing > 0)).toBe(true);
});

test('does not start with other master keys than the database was encrypted with', async ({ bed }) => {
  const SECRETS_KEYS = `test:${Buffer.alloc(32, 8).toString('base64')}`;
  await expect(importFile(bed, await aFile(''), { SECRETS_KEYS })).rejects.toThrow(
    /^SECRETS_KEYS lists a different key as "test"/,
  );
});

test('rejects an unreadable file and unknown arguments with a one-line message', async ({ bed }) => {
  const missing = bed.run({}, ['--input', '/nowhere']);
  expect([await missing.exited, missing.stdout()]).toEqual([2, '']);
  expect(missing.stderr()).toMatch(/^--input must be a readable file, or -: [^\n]*ENOENT[^\n]*\n$/);
  const wrong = bed.run({}, ['--output', 'x']);
  expect(await wrong.exited).toBe(2);
  expect(wrong.stderr()).toMatch(/^Usage: [^\n]*\n$/);
});
