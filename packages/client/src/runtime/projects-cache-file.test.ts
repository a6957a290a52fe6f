import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sampled } from '../../../../tools/property-runs.ts';
import { runtimeTest } from '../testing/runtime.fixture.ts';
import { configurationOf } from '../testing/fake-feed.ts';
import { knownProjects } from './known-projects.ts';
import { projectsCacheFile } from './projects-cache-file.ts';

const OWNER = { key: 'phx_key', url: 'http://127.0.0.1:8000', follows: ['0/1'], family: 'plugin_configs' };
const PROJECTS = 25;

const test = runtimeTest.extend<{ readonly path: string }>({
  path: async ({ cacheFile: path }, use) => use(path),
});

/** A runtime with projects. `change` stores a version of one of them, and null for one that is gone. */
function runtime(path: string) {
  const projects = knownProjects({ isLazy: false });
  const file = projectsCacheFile(path, OWNER, projects);
  const apply = (project_id: number, version: string | null): void => {
    const project = { project_id, external_id: `tenant-${project_id}` };
    projects.apply({
      cursor: '',
      more: false,
      reset: false,
      gone: version === null ? [project] : [],
      projects: version === null ? [] : [{ ...project, ...configurationOf(version) }],
    });
  };
  const store = async (cursor: string) => file.store({ version: cursor, isComplete: true, changes: [] });
  const change = async (projectId: number, version: string | null, cursor: string): Promise<void> => {
    apply(projectId, version);
    await store(cursor);
  };
  const fill = async (): Promise<void> => {
    for (let id = 1; id <= PROJECTS; id++) apply(id, 'first');
    await store('first');
  };
  return { projects, file, change, fill, store };
}

/** Returns the cursor and the versions that another process finds. */
async function found(path: string) {
  const { projects, file } = runtime(path);
  const cached = await file.load();
  const versions = projects.all().map(({ content }) => content?.version);
  return { cursor: cached?.state.version, count: versions.length, versions };
}

test('the projects are loaded, and changes are appended to the file', async ({ path }) => {
  expect((await found(path)).cursor).toBeUndefined();
  const { fill, change } = runtime(path);
  await fill();
  const whole = await readFile(path);
  const { ino } = await stat(path);
  await change(3, 'second', 'second');
  await change(4, null, 'third');
  const after = await readFile(path);
  expect([after.subarray(0, whole.length).equals(whole), (await stat(path)).ino]).toEqual([true, ino]);
  expect(after.toString('latin1')).not.toContain('hunter2');
  const { cursor, count, versions } = await found(path);
  expect([cursor, count, versions.filter((version) => version === 'second')]).toEqual([
    'third',
    PROJECTS - 1,
    ['second'],
  ]);
});

test('a kill at any byte of an appended change leaves the state before it', async ({ path }) => {
  const { fill, change } = runtime(path);
  await fill();
  const { size } = await stat(path);
  await change(3, 'second', 'second');
  const whole = await readFile(path);
  const lengths = Array.from({ length: whole.length - size }, (_, n) => size + n);
  for (const length of sampled(lengths, 40)) {
    await writeFile(path, whole.subarray(0, length));
    expect((await found(path)).cursor).toBe('first');
  }
  // A machine that crashes may leave zeros.
  await writeFile(path, Buffer.concat([whole.subarray(0, size), Buffer.alloc(whole.length - size)]));
  const { cursor, count, versions } = await found(path);
  expect([cursor, count, new Set(versions)]).toEqual(['first', PROJECTS, new Set(['first'])]);
});

test('a file that is cut off before its first cursor, or has another owner, is an error', async ({
  path,
}) => {
  await runtime(path).fill();
  const whole = await readFile(path);
  for (const length of sampled(Array.from(whole.keys()), 60)) {
    await writeFile(path, whole.subarray(0, length));
    await expect(found(path)).rejects.toThrow('is ignored');
  }
  await writeFile(path, whole);
  const other = projectsCacheFile(path, { ...OWNER, key: 'phx_other' }, knownProjects({ isLazy: false }));
  await expect(other.load()).rejects.toThrow('with another key');
  await other.remove();
  expect(await stat(path)).toBeDefined();
});

test('the file is replaced once most of it is out of date', async ({ path }) => {
  const { fill, change } = runtime(path);
  await fill();
  const { ino, size } = await stat(path);
  let last = ino;
  const long = 'x'.repeat(100_000);
  for (let n = 0; last === ino && n < 30; n++) {
    await change(1, `${n} ${long}`, String(n));
    last = (await stat(path)).ino;
  }
  expect(last).not.toBe(ino);
  expect((await stat(path)).size).toBeLessThan(size + 5 * long.length);
});

test('a process replaces a file that is not its own before it appends', async ({ path }) => {
  const [one, other] = [runtime(path), runtime(path)];
  await one.fill();
  await other.fill();
  await one.change(1, 'one', 'one');
  expect((await found(path)).versions[0]).toBe('one');
  await other.change(1, 'other', 'other');
  await other.change(2, 'other', 'last');
  expect(await found(path)).toMatchObject({ cursor: 'last', count: PROJECTS });
  await rm(path);
  await one.change(2, 'second', 'second');
  expect(await found(path)).toMatchObject({ cursor: 'second', count: PROJECTS });
});

test('after a change that could not be stored, the whole state is stored', async ({ path }) => {
  const { fill, change } = runtime(path);
  await fill();
  await rm(join(path, '..'), { recursive: true });
  await expect(change(1, 'second', 'second')).rejects.toThrow('ENOENT');
  await mkdir(join(path, '..'));
  await change(2, 'third', 'third');
  const { versions } = await found(path);
  expect(versions.slice(0, 3)).toEqual(['second', 'third', 'first']);
});
