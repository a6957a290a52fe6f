import type { Document } from '@plugin-config/client';
import { isObject } from '@plugin-config/domain';
import { stat } from 'node:fs/promises';
import { callersPath } from '../input-file.ts';
import { parseInput } from './document-file.ts';

/** Without this prefix, a document could read any variable, such as `API_KEY`. */
const SECRET_PREFIX = 'CONFIG_SECRET_';
const READABLE_BY_OTHERS = 0o077;

export type SecretValues = Readonly<Record<string, string>>;

/** Returns the secrets that the document refers to, from the file or, failing that, the environment. Omits missing values. */
export async function secretValues(
  { plugin_configs: configs = [], pipeline_transformation_configs: others = [] }: Document,
  file: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<SecretValues> {
  const fromFile = file === undefined ? {} : await readSecrets(file, env);
  const entries = [...configs, ...others].flatMap(({ config = {} }) => Object.values(config));
  const values = entries.flatMap((entry) => {
    const name = typeof entry === 'object' && entry !== null && '$secret' in entry ? entry.$secret : null;
    if (typeof name !== 'string') return [];
    const value = fromFile[name] ?? env[SECRET_PREFIX + name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

async function readSecrets(file: string, env: NodeJS.ProcessEnv): Promise<SecretValues> {
  if (file !== '-') await checkPermissions(file, env);
  const value = await parseInput(file, env).then(
    (parsed) => parsed.value,
    // The message may contain a part of a secret.
    () => null,
  );
  if (!isValues(value)) throw new Error(`${file} must map secret names to strings, as YAML or JSON.`);
  return value;
}

async function checkPermissions(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { mode } = await stat(callersPath(file, env)).catch((cause: unknown) => {
    throw new Error(`Cannot read ${file}.`, { cause });
  });
  if ((mode & READABLE_BY_OTHERS) !== 0 && process.platform !== 'win32')
    throw new Error(`${file} is accessible to other users: run chmod 600 ${file} first.`);
}

function isValues(value: unknown): value is SecretValues {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string');
}
