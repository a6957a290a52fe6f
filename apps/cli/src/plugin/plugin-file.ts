import type * as contract from '@plugin-config/contract';
import { parseExactly } from '@plugin-config/domain';
import { inputName, readInput } from '../input-file.ts';
import { reason } from '../reason.ts';

export const PLUGIN_ARGUMENT = ['<plugin>', 'the id of the plugin, or slug: and its slug'] as const;

type Read<Name extends 'pluginFile' | 'versionBody'> = ReturnType<(typeof contract)[Name]['parse']>;

/** Reads a file, or standard input if the name is `-`, as a schema of the contract describes it. */
export async function readFileAs<Name extends 'pluginFile' | 'versionBody'>(
  schema: Name,
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<Read<Name>> {
  const { validate, ...schemas } = await import('@plugin-config/contract');
  const { value, error } = validate(schemas[schema], await readJson(file, env));
  if (error === undefined) return value as Read<Name>;
  const field = error.attr === null ? '' : `${error.attr}: `;
  throw new Error(`${inputName(file)}: ${field}${error.detail}`, { cause: error });
}

async function readJson(file: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const text = await readInput(file, env);
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new Error(`${inputName(file)} is not valid JSON: ${reason(cause)}`, { cause });
  }
}
