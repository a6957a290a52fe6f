import { parseExactly, type Plugin } from '@plugin-config/domain';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** The plugin that a file describes; standard input where it is `-`. */
export async function readPluginFile(file: string, env: NodeJS.ProcessEnv): Promise<Plugin> {
  const { pluginFile, validate } = await import('@plugin-config/contract');
  const { value, error } = validate(pluginFile, await readJson(file, env));
  if (error === undefined) return value;
  const place = error.attr === null ? '' : `${error.attr}: `;
  throw new Error(`${nameOf(file)}: ${place}${error.detail}`, { cause: error });
}

async function readJson(file: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(file, env));
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new Error(`${nameOf(file)} is not JSON: ${cause instanceof Error ? cause.message : ''}`, { cause });
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

/** npm runs us in its own folder, and tells where it was called. */
function callersFolder({ npm_lifecycle_event: script, INIT_CWD: calledIn }: NodeJS.ProcessEnv): string {
  return script === 'cli' && calledIn ? calledIn : process.cwd();
}

function nameOf(file: string): string {
  return file === '-' ? 'Standard input' : file;
}
