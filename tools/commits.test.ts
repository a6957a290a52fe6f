import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FILE = fileURLToPath(import.meta.url);
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const LONGEST = 72;
const FORM = /^[a-z][a-z\d, /.-]*: (?<verb>[a-z]+)\b/;
/** Imperatives that look like another form. */
const IMPERATIVES = /^(alias|bring|embed|exceed|feed|focus|need|ping|proceed|seed|shed|speed|string)$/;
const OTHER_FORMS = /(ed|ing|[^s]s)$|^(a|an|the|some|more|new|no|not|all|it|this|is|was)$/;

/** Returns what is wrong with the subject of a commit, or null. */
function problemOf(subject: string): string | null {
  if (subject.length > LONGEST) return `has more than ${LONGEST} characters`;
  const verb = FORM.exec(subject)?.groups?.['verb'];
  if (verb === undefined) return 'is not of the form `area: imperative subject`';
  return OTHER_FORMS.test(verb) && !IMPERATIVES.test(verb)
    ? `begins with "${verb}", which is not an imperative`
    : null;
}

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Returns the subjects of all commits after the one that added this file; none outside a repository. */
function subjects(): readonly string[] {
  try {
    const [added] = git('log', '--diff-filter=A', '--format=%H', '--', FILE);
    return added === undefined ? [] : git('log', '--no-merges', '--format=%s', `${added}..HEAD`);
  } catch {
    return [];
  }
}

test.for([
  ['persistence: encrypt configurations with project keys', null],
  ['http, server: pass the deadline on', null],
  ['Add a check', 'is not of the form `area: imperative subject`'],
  ['http: Added a check', 'is not of the form `area: imperative subject`'],
  ['http: added a check', 'begins with "added", which is not an imperative'],
  ['http: adds a check', 'begins with "adds", which is not an imperative'],
  ['http: the check is there', 'begins with "the", which is not an imperative'],
  [`http: add ${'x'.repeat(LONGEST)}`, `has more than ${LONGEST} characters`],
] as const)('the subject "%s": %s', ([subject, problem]) => {
  expect(problemOf(subject)).toBe(problem);
});

test('every commit has a subject of this form', () => {
  const problems = subjects().flatMap((subject) => {
    const problem = problemOf(subject);
    return problem === null ? [] : [`"${subject}" ${problem}`];
  });
  expect(problems).toEqual([]);
});
