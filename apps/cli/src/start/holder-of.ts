import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Describes the process that listens on the port, as far as the system tells. */
export async function holderOf(port: number): Promise<string> {
  const pid =
    (await found(/^(\d+)/, 'lsof', '-nPt', `-iTCP:${port}`, '-sTCP:LISTEN')) ??
    (await found(/pid=(\d+)/, 'ss', '-Hltnp', `sport = :${port}`));
  if (pid === undefined) return 'another process';
  const command = (await found(/^(.+)/, 'ps', '-o', 'args=', '-p', pid)) ?? '';
  // The program and its first argument, without the options of an interpreter.
  const [program = '', ...args] = command.split(/\s+/);
  const first = args.find((arg) => !arg.startsWith('-')) ?? '';
  return `process ${pid} (${`${basename(program)} ${first}`.trim()})`;
}

/** What the pattern finds in the output of a program; undefined if nothing, or if there is no such program. */
async function found(pattern: RegExp, program: string, ...args: string[]): Promise<string | undefined> {
  const output = await run(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
  return pattern.exec(output)?.[1];
}
