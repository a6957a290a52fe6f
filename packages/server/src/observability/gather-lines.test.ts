import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { gatherLines } from './gather-lines.ts';

/** An output whose reader takes a piece when the test says so. */
function slowOutput() {
  const pieces: string[] = [];
  let taken = (): void => undefined;
  return {
    pieces,
    take: async () => {
      taken();
      await nextTurn();
    },
    output: {
      fd: 1 as const,
      writableLength: 0,
      on: () => undefined as never,
      write: (piece: string, done: () => void) => {
        pieces.push(piece);
        taken = done;
        return true;
      },
    } as unknown as Parameters<typeof gatherLines>[0],
  };
}

const nobody = (): never => {
  throw new Error('Nothing was lost.');
};

test('the lines of a turn are written together', async () => {
  const { output, pieces } = slowOutput();
  const lines = gatherLines(output, nobody);
  lines.write('a\n');
  lines.write('b\n');
  await nextTurn();
  expect(pieces).toEqual(['a\nb\n']);
});

test('a piece has whole lines of at most 4 KiB together, and waits for the one before', async () => {
  const { output, pieces, take } = slowOutput();
  const lines = gatherLines(output, nobody);
  const [first, second, third] = ['ä', 'b', 'c'].map((char) => `${char.repeat(1500)}\n`);
  for (const line of [first, second, third]) lines.write(line ?? '');
  await nextTurn();
  expect(pieces).toEqual([first]);
  await take();
  expect(pieces).toEqual([first, `${second}${third}`]);
});

test('a line longer than a piece is written alone', async () => {
  const { output, pieces } = slowOutput();
  const lines = gatherLines(output, nobody);
  const long = `${'x'.repeat(10_000)}\n`;
  lines.write(long);
  lines.write('b\n');
  await nextTurn();
  expect(pieces).toEqual([long]);
});

test('while nobody reads, a bounded number of bytes waits, and it is told how many lines were lost', async () => {
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

test('the line about lost lines is written though no other line has room', async () => {
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
  ['in the turn of the last line', ''],
  ['when the pipe is full', 'await new Promise((resolve) => setTimeout(resolve, 100));'],
])('a process that ends %s loses no line', async (_, pause) => {
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

test('a process that ends while nobody reads tells how many lines it has lost', async () => {
  const script = `
    import { gatherLines } from '${MODULE}';
    const lines = gatherLines(process.stdout, (count) => lines.write(count + ' lost\\n'), 100);
    process.on('exit', lines.flushSync);
    for (let n = 0; n < 50; n++) lines.write('a line\\n');
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  expect(await text(child.stdout)).toBe(`${'a line\n'.repeat(14)}36 lost\n`);
});

test('a process whose log nobody reads any more goes on and ends', async () => {
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
