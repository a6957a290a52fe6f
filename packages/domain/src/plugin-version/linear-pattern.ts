import { MIGRATION_LIMITS } from '../vocabulary/vocabulary.ts';
import { patternItems, rejectedPattern, type Characters, type PatternItem } from './pattern-items.ts';

/** Texts longer than this are not split. */
const TEXT_MAX = 10_000;

/** Splits a whole text into its named groups. */
export interface LinearPattern {
  readonly groups: readonly string[];
  /** Returns the text of each group; null if the pattern does not match the whole text. */
  split(text: string): ReadonlyMap<string, string> | null;
}

/**
 * Reads a regular expression that takes linear time: characters, classes and named groups in a sequence, of which
 * everything that repeats ends at a character it cannot contain, so no engine can backtrack far.
 * @throws DomainError `invalid_input`, attr `migrations`
 */
export function linearPattern(pattern: string): LinearPattern {
  const { pattern: max } = MIGRATION_LIMITS;
  if (pattern.length > max) throw rejectedPattern(`It has more than ${max} characters.`);
  const items = patternItems(pattern);
  const groups = [...new Set(items.flatMap(({ group }) => group ?? []))];
  if (groups.length === 0) throw rejectedPattern('It has no named group, such as (?<host>[^:]+).');
  items.forEach((item, at) => {
    if (item.min !== item.max) checkEnd(item, items.slice(at + 1));
  });
  const expression = new RegExp(`^${sourceOf(items)}$`, 'u');
  return {
    groups,
    split(text) {
      const found = text.length > TEXT_MAX ? null : expression.exec(text);
      return found && new Map(groups.map((group) => [group, found.groups?.[group] ?? '']));
    },
  };
}

/** Rejects a repeated item that could also match the beginning of what follows it. */
function checkEnd({ characters }: PatternItem, following: readonly PatternItem[]): void {
  for (const { characters: others, min, max } of following) {
    if (max > 0 && overlap(characters, others)) {
      const hint = 'such as [^:]+ before ":"; nothing can follow .+';
      throw rejectedPattern(`What repeats must end at a character it cannot contain, ${hint}.`);
    }
    if (min > 0) return;
  }
}

function overlap(one: Characters, other: Characters): boolean {
  return one.some(([low, high]) => other.some(([from, to]) => low <= to && from <= high));
}

/** Writes the expression from the checked items, so the engine cannot read the pattern differently. */
function sourceOf(items: readonly PatternItem[]): string {
  const hex = (code: number): string => `\\u{${code.toString(16)}}`;
  let open: string | null = null;
  let source = '';
  for (const { characters, min, max, group } of items) {
    if (group !== open) source += (open === null ? '' : ')') + (group === null ? '' : `(?<${group}>`);
    open = group;
    const ranges = characters.map(([low, high]) => `${hex(low)}-${hex(high)}`).join('');
    source += `[${ranges}]{${min},${max === Infinity ? '' : max}}`;
  }
  return open === null ? source : `${source})`;
}
