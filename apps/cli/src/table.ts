import { codePoints } from '@plugin-config/domain';

type Cell = string | number | Date | null;

export type Columns<T> = Readonly<Record<string, (item: T) => Cell>>;

const GAP = '  ';
/** Characters that can move the cursor of a terminal or reverse text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

export function table<T>(items: readonly T[], columns: Columns<T>): string {
  const header = Object.keys(columns);
  const rows = items.map((item) => Object.values(columns).map((read) => show(read(item))));
  const lines = [header, ...rows];
  const widths = header.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, codePoints(line[column] ?? '')), 0),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function show(cell: Cell): string {
  if (cell === null) return '-';
  if (cell instanceof Date) return cell.toISOString().replace(/\.\d+Z$/, 'Z');
  return printable(String(cell));
}

/** Escapes terminal control characters. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escapeSequence);
}

function escapeSequence(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(width - codePoints(cell));
}
