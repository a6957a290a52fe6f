import type { SecretNames } from '../configuration/configuration.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { secretFields, type Plugin } from './plugin.ts';

/** The current state of a plugin id, registered or not. */
export interface Registration {
  /** Null if the plugin is not registered. */
  readonly plugin: Plugin | null;
  /** The registry version at its last registration or removal; null if there was none. */
  readonly version: number | null;
  /** Every field name that any registration of this id has declared secret. */
  readonly secretNames: SecretNames;
}

/** Limits how much each plugin can occupy in process memory. */
const SECRET_NAMES_MAX = 1000;

/** Returns the secret names of a plugin after a registration: once secret, always secret. */
export function mergeSecretNames(
  before: Iterable<string>,
  plugin: Pick<Plugin, 'configSchema'>,
): readonly string[] {
  const names = [...new Set([...before, ...secretFields(plugin)])];
  if (names.length <= SECRET_NAMES_MAX) return names;
  const message = `The registrations of this plugin have declared ${names.length} fields secret; at most ${SECRET_NAMES_MAX} are allowed.`;
  throw new DomainError('invalid_input', message, { attr: 'config_schema' });
}
