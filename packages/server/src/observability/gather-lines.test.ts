import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { gatherLines } from './gather-lines.ts';

/** An output whose reader accepts a piece when the test says so. */
function slowOutput() {
  const pieces: string[] = [];
  let accept = (): void => undefined;
  return {
    pieces,
    take: async () => {
      accept();
      await nextTurn();
    },
    output: {
      fd: 1 as const,
      writableLength: 0,
      on: () => undefined as never,
      write: (piece: string, done: () => void) => {
        pieces.push(piece);
        accept = done;
        return true;
      },
    } as unknown as Parameters<typeof gatherLines>[0],
  };
}

const expectNoLoss = (): never => {
  throw new Error('No line should have been lost.');
};

test('the lines of one turn of the event loop are written together', async () => {
  const { output, pieces } = slowOutput();
  const lines = gatherLines(output, expectNoLoss);
  lines.write('a\n');
  lines.write('b\n');
  await nextTurn();
  expect(pieces).toEqual(['a\nb\n']);
});

test('a piece consists of whole lines, at most 4 KiB, and waits for the previous piece', async () => {
  const { output, pieces, take } = slowOutput();
  const lines = gatherLines(output, expectNoLoss);
  const [first, second, third] = ['ä', 'b', 'c'].map((char) => `${char.repeat(1500)}\n`);
  for (const line of [first, second, third]) lines.write(line ?? '');
  await nextTurn();
  expect(pieces).toEqual([first]);
  await take();
  expect(pieces).toEqual([first, `${second}${third}`]);
});

test('a line longer than a piece is written alone', async () => {
  const { output, pieces } = slowOutput();
  const lines = gatherLines(output, expectNoLoss);
  const long = `${'x'.repeat(10_000)}\n`;
  lines.write(long);
  lines.write('b\n');
  await nextTurn();
  expect(pieces).toEqual([long]);
});

test('a limited number of bytes waits for a reader, and the number of lost lines is reported', async () => {
  const { output, pieces, take } = slowOutput();
  const lost: number[] = [];
  const lines = gatherLines(output, (count) => lost.push(count), 10);
  lines.write('taken\n');
  await nextTurn();
  for (const line of ['waits\n', 'lost\n', 'lost\n', 'fit\n']) lines.write(line);
  expect(lost).toEqual([]);
  await take();
  expect(lost).toEqual([2]);
  await take();
  expect(pieces).toEqual(['taken\n', 'waits\nfit\n']);
  expect(lost).toEqual([2]);
});

test('the line about lost lines is written even if no other line fits', async () => {
  const { output, pieces, take } = slowOutput();
  const lines = gatherLines(output, (count) => lines.write(`${count} lost\n`), 10);
  lines.write('taken\n');
  await nextTurn();
  for (const line of ['nine more\n', 'lost\n', 'lost\n']) lines.write(line);
  await take();
  expect(pieces).toEqual(['taken\n', 'nine more\n2 lost\n']);
});

const MODULE = pathToFileURL(`${import.meta.dirname}/gather-lines.ts`).href;
const LINES = 20_000;

test.each([
  ['immediately after its last line', ''],
  ['when the pipe is full', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
])('a process that exits %s loses no line', async (_, pause) => {
  const script = `
    import { gatherLines } from '${MODULE}';
    const lines = gatherLines(process.stdout, () => undefined);
    process.on('exit', lines.flushSync);
    for (let n = 0; n < ${LINES}; n++) lines.write('line ' + n + '\\n');
    ${pause}
    process.exit();`;
  const late = spawn('sh', [
    '-c',
    '"$0" --input-type=module --eval "$1" | { sleep 0.3; cat; }',
    process.execPath,
    script,
  ]);
  const written = await text(late.stdout);
  expect(written.split('\n')).toEqual([...Array.from({ length: LINES }, (__, n) => `line ${n}`), '']);
});

test('a process that exits without a reader reports how many lines it has lost', async () => {
  const script = `
    import { gatherLines } from '${MODULE}';
    const lines = gatherLines(process.stdout, (count) => lines.write(count + ' lost\\n'), 100);
    process.on('exit', lines.flushSync);
    for (let n = 0; n < 50; n++) lines.write('a line\\n');
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  expect(await text(child.stdout)).toBe(`${'a line\n'.repeat(14)}36 lost\n`);
});

test('a process continues and exits normally if the reader of its log has gone', async () => {
  const script = `
    import { gatherLines } from '${MODULE}';
    const lines = gatherLines(process.stdout, () => undefined);
    process.on('exit', lines.flushSync);
    let n = 0;
    setInterval(() => { lines.write('x'.repeat(5000)); if (++n === 50) process.exit(7); }, 2);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.destroy();
  const [code] = await once(child, 'exit');
  expect(code).toBe(7);
});
