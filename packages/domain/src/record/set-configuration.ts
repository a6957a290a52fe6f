import { patchedConfiguration } from '../configuration/replace-configuration.ts';
import type { JsonObject } from '../kernel/json.ts';
import { NOT_REGISTERED } from '../plugin/plugin.ts';
import type { ConfigRecord } from './config-record.ts';
import {
  decideUpdate,
  storeChange,
  type Update,
  type UpdateCommand,
  type UpdateDependencies,
} from './update-record.ts';

type Dependencies = Pick<UpdateDependencies, 'records' | 'configurationValues'>;
type Command = Omit<UpdateCommand, 'change' | 'newConfig'>;

export function setConfiguration(
  dependencies: Dependencies,
  { newConfig, ...command }: Command & { readonly newConfig: JsonObject },
): Promise<ConfigRecord> {
  return configure(dependencies, command, () => newConfig);
}

/** Changes some entries of the configuration. Null removes an entry. */
export function patchConfiguration(
  dependencies: Dependencies,
  { patch, ...command }: Command & { readonly patch: JsonObject },
): Promise<ConfigRecord> {
  return configure(dependencies, command, (stored) => patchedConfiguration(stored, patch));
}

function configure(
  { records, configurationValues }: Dependencies,
  command: Command,
  newConfig: Update['newConfig'],
): Promise<ConfigRecord> {
  return storeChange({ records }, command, (before) =>
    decideUpdate({ requireRegistered: false }, before, {
      change: {},
      newConfig,
      author: command.author,
      registration: async () => NOT_REGISTERED,
      configured: () => configurationValues.of(before),
    }),
  );
}
