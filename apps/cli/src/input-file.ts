import { isObject, parseExactly, type JsonObject } from '@plugin-config/domain';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { reason } from './reason.ts';

/** Reads a file, or standard input if the name is `-`. */
export async function readInput(file: string, env: NodeJS.ProcessEnv): Promise<string> {
  const bytes = await readBytes(file, env);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error(`${inputName(file)} is not valid UTF-8.`, { cause });
  }
}

/** Reads the JSON object in a file, or on standard input if the name is `-`. */
export async function readJson(file: string, env: NodeJS.ProcessEnv): Promise<JsonObject> {
  const text = await readInput(file, env);
  const value = parsed(text, inputName(file));
  if (isObject(value)) return value;
  throw new Error(`${inputName(file)}: A JSON object is required.`);
}

function parsed(text: string, name: string): unknown {
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new Error(`${name} is not valid JSON: ${reason(cause)}`, { cause });
  }
}

async function readBytes(file: string, env: NodeJS.ProcessEnv): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return await readFile(callersPath(file, env));
  } catch (cause) {
    throw new Error(`Cannot read ${file}: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

/** Resolves a path from the command line. npm runs scripts in the package's folder and passes the caller's in `INIT_CWD`. */
export function callersPath(
  file: string,
  { npm_lifecycle_event: script, INIT_CWD: callersCwd }: NodeJS.ProcessEnv,
): string {
  return resolve(script === 'cli' && callersCwd ? callersCwd : process.cwd(), file);
}

export function inputName(file: string): string {
  return file === '-' ? 'Standard input' : file;
}
