import { conceal, readValues } from '../configuration/configuration.ts';
import type { SecretBox } from '../configuration/secret-box.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import { FAMILIES, perFamily } from '../project/family.ts';
import { byPosition } from '../record/ordering.ts';
import type { Declaration, DeclaredRecord } from './declaration.ts';
import { declaredValue, referenceTo } from './declared-configuration.ts';
import type { ManagedState, OwnedRecord } from './managed-state.ts';

/**
 * The live records of a manager as a declaration that says the same of any project: without ids, without what a new record
 * has anyway, and with references in place of secrets. Yields after each record.
 */
export function* exportDeclaration(
  manager: string,
  state: ManagedState,
  box: SecretBox,
): Generator<void, Declaration, void> {
  const secretName = secretNames();
  const families = perFamily((): DeclaredRecord[] => []);
  for (const family of FAMILIES) {
    const live = state.families[family].owned.filter(({ record }) => !record.deleted);
    for (const owned of live.toSorted((a, b) => byPosition(a.record, b.record))) {
      families[family].push(exported(owned, { state, box, secretName }));
      yield;
    }
  }
  return { manager, ...families };
}

interface Context {
  readonly state: ManagedState;
  readonly box: SecretBox;
  readonly secretName: (key: string, entry: string) => string;
}

function exported({ key, preventDestroy, record, secrets }: OwnedRecord, context: Context): DeclaredRecord {
  const { plugin, enabled, name, description } = record;
  const config = exportedConfiguration(key, { record, secrets }, context);
  return {
    key,
    plugin,
    ...(enabled && { enabled }),
    ...(name !== null && { name }),
    ...(description !== null && { description }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(preventDestroy && { preventDestroy }),
  };
}

function exportedConfiguration(
  key: string,
  { record, secrets }: Pick<OwnedRecord, 'record' | 'secrets'>,
  { state, box, secretName }: Context,
): JsonObject {
  const schema = state.plugins.get(record.plugin)?.plugin.configSchema ?? [];
  const stored = conceal({ config: record.config, secrets }, schema, box);
  const fields = new Map(schema.map((field) => [field.key, field]));
  const entries = [...readValues(stored.config)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([entry, value]): readonly (readonly [string, Json])[] => {
      if (stored.secrets.has(entry)) return [[entry, referenceTo(secretName(key, entry))]];
      const field = fields.get(entry);
      const isUsual = canonicalJson(value) === canonicalJson(field?.default ?? null);
      // The value of a secret entry that was cleared is empty.
      return isUsual || field?.secret === true ? [] : [[entry, declaredValue(value)]];
    });
  return Object.fromEntries(entries);
}

/** A name has 200 characters at most, with the number that tells it from others. */
const NAME_MAX = 190;

/** Names each secret after its record and its entry, and numbers those whose names are the same. */
function secretNames(): Context['secretName'] {
  const taken = new Set<string>();
  return (key, entry) => {
    const words = `${key}_${entry}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
    const base = (/^\d/.test(words) ? `_${words}` : words).slice(0, NAME_MAX);
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
    taken.add(name);
    return name;
  };
}
