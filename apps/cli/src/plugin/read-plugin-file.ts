import { parseExactly, type Plugin } from '@plugin-config/domain';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** Reads a plugin from a file, or from standard input if the name is `-`. */
export async function readPluginFile(file: string, env: NodeJS.ProcessEnv): Promise<Plugin> {
  const { pluginFile, validate } = await import('@plugin-config/contract');
  const { value, error } = validate(pluginFile, await readJson(file, env));
  if (error === undefined) return value;
  const field = error.attr === null ? '' : `${error.attr}: `;
  throw new Error(`${fileName(file)}: ${field}${error.detail}`, { cause: error });
}

async function readJson(file: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(file, env));
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new Error(`${fileName(file)} is not JSON: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}

async function readBytes(file: string, env: NodeJS.ProcessEnv): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(resolve(callersFolder(env), file));
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

/** The folder of the caller. npm runs scripts in the package's folder and passes the caller's in `INIT_CWD`. */
function callersFolder({ npm_lifecycle_event: script, INIT_CWD: callersCwd }: NodeJS.ProcessEnv): string {
  return script === 'cli' && callersCwd ? callersCwd : process.cwd();
}

function fileName(file: string): string {
  return file === '-' ? 'Standard input' : file;
}
