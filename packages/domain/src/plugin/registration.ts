import type { SecretNames } from '../configuration/configuration.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { secretFields, type Plugin } from './plugin.ts';

/** What is known of the id of a plugin, whether it is registered now or was before. */
export interface Registration {
  /** Null if it is not registered. */
  readonly plugin: Plugin | null;
  /** The version of the registry at its last registration or removal; null if there was none. */
  readonly version: number | null;
  /** Every name that a registration of this id has declared secret. */
  readonly secretNames: SecretNames;
}

/** Bounds what a process keeps in memory for each plugin. */
const SECRET_NAMES_MAX = 1000;

/** The secret names of a plugin after a registration: once secret, always secret. */
export function mergeSecretNames(
  before: Iterable<string>,
  plugin: Pick<Plugin, 'configSchema'>,
): readonly string[] {
  const names = [...new Set([...before, ...secretFields(plugin)])];
  if (names.length <= SECRET_NAMES_MAX) return names;
  const message = `The registrations of this plugin have declared ${names.length} fields secret; at most ${SECRET_NAMES_MAX} are allowed.`;
  throw new DomainError('invalid_input', message, { attr: 'config_schema' });
}
