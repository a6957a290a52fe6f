import { serveTasks } from './work-thread.ts';

serveTasks({
  spin: (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
    return { value: ms };
  },
  double: (bytes: Uint8Array<ArrayBuffer>) => {
    const value = bytes.map((byte) => 2 * byte);
    return { value, moved: [value.buffer] };
  },
  fail: (message: string) => {
    throw Object.assign(new RangeError(message), { code: 'odd', errors: [new SyntaxError('inner')] });
  },
  exit: () => process.exit(1),
});
