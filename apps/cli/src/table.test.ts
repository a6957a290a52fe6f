import { expect, test } from 'vitest';
import { table } from './table.ts';

const COLUMNS = { ID: ({ id }: Row) => id, NAME: ({ name }: Row) => name, MADE: ({ made }: Row) => made };

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
  expect(table(rows, COLUMNS)).toBe(
    ['ID  NAME  MADE', '1   Shop  2026-03-01T10:00:00Z', '12  😀     -'].join('\n'),
  );
});

test('escapes texts that would move the cursor, colour the terminal or break the line', () => {
  const rows = [{ id: 1, name: 'a\nb\t\u001b[31mc\u202e', made: null }];
  expect(table(rows, { NAME: COLUMNS.NAME })).toBe('NAME\na\\nb\\t\\u001b[31mc\\u202e');
});
