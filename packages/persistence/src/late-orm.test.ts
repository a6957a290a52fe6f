import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { registerPlugin } from '@plugin-config/domain';
import { anAuthor, aPlugin, memorySecretBox } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from './postgres-ports.ts';
import { databaseOfFile } from './testing/database-of-file.ts';

const withEmptied = databaseOfFile();

const PRINT_ORM = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) => {
      if (name.startsWith('@mikro-orm/')) console.log(name);
      return next(name, context);
    },
  });
  const { openDatabase, postgresPorts } = await import('./index.ts');
`;

const FINISH_REGISTRATIONS = `
  const { finishRegistrations } = await import('@plugin-config/domain');
  const { memorySecretBox } = await import('@plugin-config/testing');
  const database = openDatabase({ url: process.env.DATABASE_URL, poolSize: 2 });
  await finishRegistrations({ ...postgresPorts(database), secretBox: memorySecretBox() });
  await database.close();
`;

test('MikroORM is not loaded before it is needed', async () => {
  expect(await printed(PRINT_ORM)).toBe('');
});

test('a worker that finishes a registration does not load MikroORM', () =>
  withEmptied(async (database, url) => {
    const { plugins } = postgresPorts(database);
    await registerPlugin({ plugins, secretBox: memorySecretBox() }, aPlugin({ id: 8 }), anAuthor());
    expect(await plugins.unfinished()).toEqual([8]);
    expect(await printed(PRINT_ORM + FINISH_REGISTRATIONS, { DATABASE_URL: url })).toBe('');
    expect(await plugins.unfinished()).toEqual([]);
  }));

/** What a process prints that runs a script. */
async function printed(script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: import.meta.dirname, env: { ...process.env, ...env } };
  const args = ['--input-type=module', '--eval', script];
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}
