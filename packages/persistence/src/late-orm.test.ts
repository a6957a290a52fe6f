import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PRINT_ORM = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) => {
      if (name.startsWith('@mikro-orm/postgresql')) console.log(name);
      return next(name, context);
    },
  });
  const { openDatabase, postgresPorts } = await import('./index.ts');
`;

test('the entity manager is only loaded when it is needed', async () => {
  const args = ['--input-type=module', '--eval', PRINT_ORM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(stdout).toBe('');
});
