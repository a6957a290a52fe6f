import { parseExactly, type Plugin } from '@plugin-config/domain';
import { inputName, readInput } from '../input-file.ts';

/** Reads a plugin from a file, or from standard input if the name is `-`. */
export async function readPluginFile(file: string, env: NodeJS.ProcessEnv): Promise<Plugin> {
  const { pluginFile, validate } = await import('@plugin-config/contract');
  const { value, error } = validate(pluginFile, await readJson(file, env));
  if (error === undefined) return value;
  const field = error.attr === null ? '' : `${error.attr}: `;
  throw new Error(`${inputName(file)}: ${field}${error.detail}`, { cause: error });
}

async function readJson(file: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const text = await readInput(file, env);
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new Error(`${inputName(file)} is not JSON: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}
