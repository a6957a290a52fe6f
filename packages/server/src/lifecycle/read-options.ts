import { parseArgs } from 'node:util';
import manifest from '../../../../package.json' with { type: 'json' };
import { CannotStart } from './cannot-start.ts';

/** The version of the service. */
export const VERSION = manifest.version;

const OPTIONS = { help: { type: 'boolean' }, version: { type: 'boolean' } } as const;

/** Reads the command line of an app, which takes no options but `--help` and `--version`. They print their text and exit. */
export function readOptions(usage: string): void {
  const { help, version } = parse(usage);
  if (help !== true && version !== true) return;
  process.stdout.write(`${help === true ? usage : VERSION}\n`);
  process.exit(0);
}

function parse(usage: string) {
  try {
    return parseArgs({ args: process.argv.slice(2), options: OPTIONS }).values;
  } catch {
    throw new CannotStart(usage);
  }
}
