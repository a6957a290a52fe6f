import { lowerCase } from '@plugin-config/domain';

interface SearchCondition {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string | readonly string[]>>;
}

/** Every letter with more than one case is below `end`. */
const CODE_POINTS = { end: 0x20000, block: 0x1000 };
const CAPITAL = /\p{Changes_When_Lowercased}/gu;
/** ClickHouse folds the case of every letter up to `LAST_PAIRED`, except those in `UNPAIRED`. Beyond that, it misses many. */
const LAST_PAIRED = '\u052F';
const UNPAIRED = new Set('İǅǈǋǲΙΜϴ');
/** ClickHouse's limit for `multiSearchAny`. With more rare letters, only the pattern is used. */
const RARE_MAX = 255;

const SEARCH = 'positionCaseInsensitiveUTF8(message, {search:String}) > 0';
const PATTERN = 'match(message, {pattern:String})';

/**
 * Returns the condition for messages that contain the text, ignoring case like `lowerCase`. ClickHouse's own search is fast but
 * misses some letters in another case, so messages with such a letter are also matched against a pattern.
 */
export function searchCondition(text: string): SearchCondition {
  const search = lowerCase(text);
  const letters = new Set(search);
  const rare = [...letters]
    .flatMap(otherCases)
    .filter((letter) => UNPAIRED.has(letter) || letter > LAST_PAIRED);
  if (rare.length === 0) return { text: SEARCH, parameters: { search } };
  const classes = Array.from(search, (letter) => [letter, ...otherCases(letter)].map(inClass).join(''));
  const pattern = classes.map((cases) => `[${cases}]`).join('');
  if (rare.length > RARE_MAX) return { text: PATTERN, parameters: { pattern } };
  return {
    text: `(${SEARCH} or (multiSearchAny(message, {rare:Array(String)}) and ${PATTERN}))`,
    parameters: { search, rare, pattern },
  };
}

function inClass(letter: string): string {
  return `\\x{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
}

let casesOf: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns the other letters whose lower case is this one. */
function otherCases(letter: string): readonly string[] {
  casesOf ??= findCases();
  return casesOf.get(letter) ?? [];
}

function findCases(): ReadonlyMap<string, readonly string[]> {
  const cases = new Map<string, string[]>();
  for (let first = 0; first < CODE_POINTS.end; first += CODE_POINTS.block) {
    const block = String.fromCodePoint(...Array.from({ length: CODE_POINTS.block }, (_, at) => first + at));
    for (const letter of block.match(CAPITAL) ?? []) {
      const lower = lowerCase(letter);
      cases.set(lower, [...(cases.get(lower) ?? []), letter]);
    }
  }
  return cases;
}
