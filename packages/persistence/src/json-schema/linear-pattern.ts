import { PATTERN_MAX, type Pattern } from '@plugin-config/domain';
import { RE2JS } from 're2js';

/** Bounds the time that a split takes, which is proportional to the instructions and to the length of the text. */
const SPLIT_INSTRUCTIONS_MAX = 1000;

/** Compiles a pattern that takes linear time. Rejects those that are not of RE2. */
export function linearPattern(pattern: string, flags = 0): RE2JS {
  if (pattern.length > PATTERN_MAX) throw new Error(`A pattern has more than ${PATTERN_MAX} characters.`);
  return RE2JS.compile(RE2JS.translateRegExp(pattern), flags);
}

/** Compiles a pattern that splits texts, in which `.` matches any character. */
export function splitPattern(source: string): Pattern {
  const pattern = linearPattern(source, RE2JS.DOTALL);
  if (pattern.programSize() > SPLIT_INSTRUCTIONS_MAX) throw new Error('It is too large.');
  const groups = Object.keys(pattern.namedGroups());
  return {
    groups,
    split(text) {
      const matcher = pattern.matcher(text);
      return matcher.matches() ? new Map(groups.map((name) => [name, matcher.group(name) ?? ''])) : null;
    },
  };
}
