import { expect, test } from 'vitest';
import { table } from './output.ts';

const FIELDS = { id: ({ id }: Row) => id, name: ({ name }: Row) => name, made_at: ({ made }: Row) => made };

interface Row {
  readonly id: number;
  readonly name: string;
  readonly made: Date | null;
}

test('aligns columns, shows times to the second, and null as a dash', () => {
  const rows = [
    { id: 1, name: 'Shop', made: new Date('2026-03-01T10:00:00.123Z') },
    { id: 12, name: '😀', made: null },
  ];
  expect(table(rows, FIELDS)).toBe(
    ['ID  NAME  MADE AT', '1   Shop  2026-03-01T10:00:00Z', '12  😀     -'].join('\n'),
  );
});

test('escapes texts that would move the cursor, colour the terminal or break the line', () => {
  const rows = [{ id: 1, name: 'a\nb\t\u001b[31mc\u202e', made: null }];
  expect(table(rows, { name: FIELDS.name })).toBe('NAME\na\\nb\\t\\u001b[31mc\\u202e');
});

test('cuts long texts, and lists the items of an array', () => {
  const name = `\u001b${'😀'.repeat(79)}`;
  const rows = [
    { id: 1, name: `${name}x`, made: null },
    { id: 2, name, made: null },
  ];
  const [, long, whole] = table(rows, { name: FIELDS.name }).split('\n');
  expect([long, whole]).toEqual([`\\u001b${'😀'.repeat(79)}…`, `\\u001b${'😀'.repeat(79)}`]);
  expect(table([['a', 'b']], { scopes: (scopes) => scopes })).toBe('SCOPES\na,b');
});
