#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { checkRuntime, rulesOf, type RuleResult } from './check-runtime.ts';
import { killAll } from './trial.ts';

const USAGE = `Usage: runtime-check [--all-projects] [--no-jobs] [--rule NAME]… [--limit SECONDS] -- COMMAND…

Runs a command against a scripted service, and reports which rules for runtimes it keeps.
The command gets API_URL, API, KEY, CONFIG_FILE, INSTANCE and LEASE_SECONDS in its environment.

  --all-projects   the command follows all projects instead of one
  --no-jobs        the command takes no jobs; otherwise it has a handler of the type echo
  --rule NAME      check only this rule; can be repeated
  --limit SECONDS  how long the command may take for each step (15)
`;

process.once('exit', killAll);
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

const options = optionsOf(process.argv.slice(2));
if (options === null) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const results = await checkRuntime({ ...options, onResult: print });
  const broken = results.filter(({ state }) => state !== 'kept').length;
  process.stdout.write(`\n${results.length - broken} of ${results.length} rules are kept.\n`);
  process.exitCode = broken === 0 ? 0 : 1;
}

function optionsOf(args: string[]): Parameters<typeof checkRuntime>[0] | null {
  const end = args.indexOf('--');
  const command = end === -1 ? [] : args.slice(end + 1);
  try {
    const { values } = parseArgs({
      args: args.slice(0, Math.max(end, 0)),
      options: {
        'all-projects': { type: 'boolean', default: false },
        'no-jobs': { type: 'boolean', default: false },
        rule: { type: 'string', multiple: true },
        limit: { type: 'string', default: '15' },
      },
    });
    const { 'all-projects': isHost, rule: only, limit } = values;
    const kind = { isHost, hasJobs: !values['no-jobs'] };
    const limitMs = Number(limit) * 1000;
    const names = rulesOf(kind).map(({ name }) => name);
    const unknown = only?.find((name) => !names.includes(name));
    if (unknown !== undefined) throw new TypeError(`There is no rule ${unknown}, only ${names.join(', ')}.`);
    if (command.length === 0 || !(limitMs > 0)) return null;
    return { command, ...kind, limitMs, ...(only && { only }) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n\n`);
    return null;
  }
}

function print({ state, name, title, reason }: RuleResult): void {
  process.stdout.write(`${state.padEnd(8)} ${name.padEnd(16)} ${title}\n`);
  if (reason !== null) process.stdout.write(`${' '.repeat(26)}${reason}\n`);
}
