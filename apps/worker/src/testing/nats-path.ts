import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian puts it, and where few users look. */
const SYSTEM = '/usr/sbin';

/** The program `nats-server`; undefined where there is none. */
export function natsServerPath(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), SYSTEM];
  return folders.map((folder) => join(folder, 'nats-server')).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
