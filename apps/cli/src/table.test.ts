import { expect, test } from 'vitest';
import { table } from './table.ts';

const COLUMNS = { ID: ({ id }: Row) => id, NAME: ({ name }: Row) => name, MADE: ({ made }: Row) => made };

interface Row {
  readonly id: number;
  readonly name: string;
  readonly made: Date | null;
}

test('columns are aligned, times have seconds, and null is a dash', () => {
  const rows = [
    { id: 1, name: 'Shop', made: new Date('2026-03-01T10:00:00.123Z') },
    { id: 12, name: '😀', made: null },
  ];
  expect(table(rows, COLUMNS)).toBe(
    ['ID  NAME  MADE', '1   Shop  2026-03-01T10:00:00Z', '12  😀     -'].join('\n'),
  );
});

test('a text cannot move the cursor, colour the terminal or break its line', () => {
  const rows = [{ id: 1, name: 'a\nb\t\u001b[31mc\u202e', made: null }];
  expect(table(rows, { NAME: COLUMNS.NAME })).toBe('NAME\na\\nb\\t\\u001b[31mc\\u202e');
});
