import { DomainError } from '@plugin-config/domain';
import { CommanderError } from 'commander';
import { tell } from './output.ts';
import { operatorProgram } from './program.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command and answers its exit code. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let exitCode = DONE;
  const program = operatorProgram({ env, exit: (code) => (exitCode = code) });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : WRONG_USAGE;
    tell(reason(error));
    return FAILED;
  }
}

/** One line, whatever went wrong. */
function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reason(error.errors[0]);
  const message = error instanceof Error ? explain(error) : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ');
}

function explain(error: Error): string {
  if (!(error instanceof DomainError)) return error.message || error.name;
  if (error.code === 'unavailable' && error.cause !== undefined)
    return `${error.message} ${reason(error.cause)}`;
  return error.attr === null ? error.message : `${error.attr}: ${error.message}`;
}
