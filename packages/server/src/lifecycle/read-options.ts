import { parseArgs } from 'node:util';
import manifest from '../../../../package.json' with { type: 'json' };
import { CannotStart } from './cannot-start.ts';

/** The version of the service. */
export const VERSION = manifest.version;

const COMMON_OPTIONS = { help: { type: 'boolean' }, version: { type: 'boolean' } } as const;

/** Reads the command line of an app whose options all take a value. `--help` and `--version` print their text and exit. */
export function readOptions<Name extends string>(
  usage: string,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string>>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { help, version, ...values } = parse({ ...options, ...COMMON_OPTIONS }, usage);
  if (help === true || version === true) {
    process.stdout.write(`${help === true ? usage : VERSION}\n`);
    process.exit(0);
  }
  return values as Partial<Record<Name, string>>;
}

function parse(options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] & {}, usage: string) {
  try {
    return parseArgs({ args: process.argv.slice(2), options }).values;
  } catch {
    throw new CannotStart(usage);
  }
}
