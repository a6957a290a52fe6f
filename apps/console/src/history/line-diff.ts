export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this many pairs of lines, texts are not compared: all lines count as removed and added. */
const PAIRS_MAX = 1_000_000;

/** Compares two texts line by line, keeping as many lines as possible. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [
    ...old.slice(0, start).map(line('same')),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(line('same')),
  ];
}

const line =
  (kind: DiffLine['kind']) =>
  (text: string): DiffLine => ({ kind, text });

function middle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  if (old.length * now.length > PAIRS_MAX) return [...old.map(line('removed')), ...now.map(line('added'))];
  const kept = keptCounts(old, now);
  const at = (i: number, j: number): number => kept[i * (now.length + 1) + j] ?? 0;
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: left });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: right ?? '' });
      j += 1;
    }
  }
  return lines;
}

/** Returns the length of the longest common subsequence for each pair of suffixes. */
function keptCounts(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1;
  const kept = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      kept[i * width + j] =
        old[i] === now[j]
          ? (kept[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(kept[(i + 1) * width + j] ?? 0, kept[i * width + j + 1] ?? 0);
    }
  }
  return kept;
}
