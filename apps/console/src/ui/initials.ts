/** Returns one or two characters that stand for a name. Numbered names differ only in their number, so its end is shown. */
export function initialsOf(name: string): string {
  const number = /\d+$/.exec(name.trim())?.[0].slice(-2) ?? '';
  if (number.length === 2) return number;
  const words = name.split(/[\s_-]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = '', second = ''] = words;
  return ([...first][0] ?? '') + (number || ([...second][0] ?? [...first][1] ?? ''));
}
