import { CommanderError } from 'commander';
import { inform } from './output.ts';
import { operatorProgram } from './cli.ts';
import { reason } from './reason.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;
/** Reports wrong usage with exit code 1, since its exit code 2 means that there are differences. */
const CONFIG = 'config';

/** Runs one command and returns its exit code. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let exitCode = DONE;
  const program = operatorProgram({ env, exit: (code) => (exitCode = code) });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === DONE) return DONE;
      return args[0] === CONFIG ? FAILED : WRONG_USAGE;
    }
    inform(reason(error));
    return FAILED;
  }
}
