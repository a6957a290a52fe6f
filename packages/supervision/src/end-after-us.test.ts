import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { endAfterUs } from './end-after-us.ts';
import { exitOf } from './exit.ts';

/** A program's arguments cannot have this character, so that the watcher cannot be started. */
const IMPOSSIBLE = 'SIGKILL\0' as 'SIGKILL';

test('a child that cannot be watched is killed', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = exitOf(child);
  expect(() => endAfterUs(child, { signal: IMPOSSIBLE, afterSeconds: 0 })).toThrow('null bytes');
  expect((await exited).how).toBe('was ended by SIGKILL');
});
