import { expect, test } from 'vitest';
import { linesOf } from './lines-of.ts';

const MIB = 1024 * 1024;
const LINE = `${'x'.repeat(4095)}\n`;

async function linesIn(chunks: Iterable<Buffer>, maxBytes = MIB) {
  const lines = [];
  const input = (async function* () {
    yield* chunks;
  })();
  for await (const { number, bytes } of linesOf(input, maxBytes))
    lines.push([number, bytes && Buffer.from(bytes).toString()]);
  return lines;
}

const TEXT = 'a\n\n{"b": "ü€😀"}\r\nlast';

test.for([TEXT, `${TEXT}\n`, '\n', ''])('the lines of %j are the same however it is cut', async (text) => {
  const bytes = Buffer.from(text);
  const expected = text.replace(/\n$/, '').split('\n');
  for (let size = 1; size <= 9; size++) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    const numbered = expected.map((line, i) => [i + 1, line]);
    expect(await linesIn(chunks)).toEqual(text === '' ? [] : numbered);
  }
});

test('a line that is too long is dropped, and the next one is read', async () => {
  const chunks = ['1234', '5\n1234\n', '123456789'].map((text) => Buffer.from(text));
  expect(await linesIn(chunks, 4)).toEqual([
    [1, null],
    [2, '1234'],
    [3, null],
  ]);
});

test('memory does not grow with the input, nor with a line', async () => {
  function* endless() {
    for (let n = 0; n < 256; n++) yield Buffer.alloc(MIB, 'x');
    for (let n = 0; n < 256; n++) yield Buffer.alloc(MIB, LINE);
  }
  const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = used();
  let [lines, highest] = [0, 0];
  const input = (async function* () {
    yield* endless();
  })();
  for await (const _ of linesOf(input, MIB)) if (++lines % 1_000 === 0) highest = Math.max(highest, used());
  expect(lines).toBeGreaterThan(60_000);
  expect(highest - before).toBeLessThan(256 * MIB);
});
