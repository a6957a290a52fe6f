import { readId } from '../whole-number.ts';

/** The exit code of a command that was asked whether something differs. */
export const DIFFERS = 2;

export const PROJECT_OPTION = ['--project <id>', 'the project', readId] as const;
export const MANAGER_OPTION = [
  '--manager <name>',
  'the manager that owns the records, such as a team',
] as const;
export const EXIT_CODE_OPTION = ['--exit-code', `exit with ${DIFFERS} if something differs`] as const;
export const SECRETS_OPTION = [
  '--secrets <file>',
  'a file that maps names of secrets to texts, readable by you alone',
] as const;
export const DOCUMENT_ARGUMENT = ['<file>', 'a document as YAML or JSON, or - for standard input'] as const;
