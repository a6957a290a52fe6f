import { execFileSync } from 'node:child_process';
import { programPath } from '../../../../tools/programs.ts';

const PRINT_PATH = ['-c', 'import sys; print(sys.executable)'];

/** The interpreter itself. What the `PATH` has may be a version manager's script, which takes a while at each start. */
export const PYTHON = execFileSync(programPath('python3'), PRINT_PATH, { encoding: 'utf8' }).trim();
