import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from './confirm.ts';

function terminal(isTTY: boolean, answer: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(answer);
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
] as const)('%j on a terminal is consent: %s', async ([answer, consents]) => {
  const asked = terminal(true, answer);
  expect(await confirm(asked, 'Apply this?')).toBe(consents);
  expect(asked.shown()).toContain('Apply this? ');
});

test('without a terminal nobody is asked', async () => {
  const asked = terminal(false, 'yes\n');
  expect(await confirm(asked, 'Apply this?')).toBeNull();
  expect(asked.shown()).toBe('');
});
