/** A key that an object of a JSON text has twice, and where it is the second time. Lines and columns count from 1. */
interface RepeatedKey {
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** The keys of an object so far, and whether its next string is a key; null for a list. */
type Level = { readonly keys: Set<string>; isKeyNext: boolean } | null;

/** Finds the first repeated key in a valid JSON text; `JSON.parse` would silently keep the last value. */
export function repeatedKey(text: string): RepeatedKey | null {
  const levels: Level[] = [];
  let top: Level = null;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      top = token === '{' ? { keys: new Set(), isKeyNext: true } : null;
      levels.push(top);
    } else if (token === '}' || token === ']') {
      levels.pop();
      top = levels.at(-1) ?? null;
    } else if (top !== null && token === ',') top.isKeyNext = true;
    else if (top?.isKeyNext === true) {
      const key = JSON.parse(token) as string;
      if (top.keys.has(key)) return { key, ...placeOf(text, index) };
      top.keys.add(key);
      top.isKeyNext = false;
    }
  }
  return null;
}

function placeOf(text: string, index: number): Omit<RepeatedKey, 'key'> {
  const before = text.slice(0, index);
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}
