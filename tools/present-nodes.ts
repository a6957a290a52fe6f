import { execFileSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const OLDEST = 20;

/** The Node programs of this machine that packages must run on, by their versions: this one, and those in `PATH`. */
export function presentNodes(): ReadonlyMap<string, string> {
  const named = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const programs = new Set(
    [process.execPath, ...named.filter(isExecutable)].map((path) => realpathSync(path)),
  );
  const versions = [...programs].map(
    (path) => [execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(), path] as const,
  );
  return new Map(versions.filter(([version]) => Number.parseInt(version.slice(1), 10) >= OLDEST));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
