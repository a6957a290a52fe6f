import type * as z from 'zod';

type Issue = z.core.$ZodRawIssue;

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'A valid string is required.',
  number: 'A valid number is required.',
  boolean: 'A valid boolean is required.',
  array: 'A list is required.',
  object: 'A JSON object is required.',
  record: 'A JSON object is required.',
};

/** Returns the message of an issue whose schema has none. */
export function wireDetail(issue: Issue): string {
  return absenceDetail(issue) ?? valueDetail(issue);
}

/** Returns the message for a missing or null field; undefined for other issues and for the root value. */
export function absenceDetail({ input, path }: Pick<Issue, 'input' | 'path'>): string | undefined {
  if (path === undefined || path.length === 0) return undefined;
  if (input === undefined) return 'This field is required.';
  return input === null ? 'This field may not be null.' : undefined;
}

function valueDetail(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return EXPECTED[issue.expected] ?? 'Not valid.';
    case 'invalid_value':
      return `Not a valid choice. Valid choices: ${issue.values.map((value) => JSON.stringify(value)).join(', ')}.`;
    case 'too_small':
      return 'This field may not be blank.';
    case 'too_big':
      return `Ensure this field has no more than ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'entries'}.`;
    case 'invalid_key':
      return 'A valid id is required as the key.';
    case 'unrecognized_keys':
      return 'There is no such field.';
    default:
      return 'Not valid.';
  }
}
