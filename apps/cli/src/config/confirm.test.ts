import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from './confirm.ts';

function terminal(isTTY: boolean, input: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(input);
  let shown = '';
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stderr.on('data', (chunk) => (shown += String(chunk)));
  return { stdin, stderr, shown: () => shown };
}

test.for([
  ['yes\n', true],
  [' yes \n', true],
  ['y\n', false],
  ['\n', false],
  ['', false],
] as const)('typing %j confirms: %s', async ([input, isConfirmed]) => {
  const { shown, ...streams } = terminal(true, input);
  expect(await confirm(streams, 'Apply this?')).toBe(isConfirmed);
  expect(shown()).toContain('Apply this? ');
});

test('fails without a terminal, and does not prompt', async () => {
  const { shown, ...streams } = terminal(false, 'yes\n');
  await expect(confirm(streams, 'Apply this?')).rejects.toThrow('use --yes and --max-deletes');
  expect(shown()).toBe('');
});
