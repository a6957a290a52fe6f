import { checkValue, type ConfigField } from '../configuration/config-field.ts';
import { conceal, readValues } from '../configuration/configuration.ts';
import type { SecretBox } from '../configuration/secret-box.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import { FAMILIES, perFamily } from '../project/family.ts';
import { byPosition } from '../record/ordering.ts';
import { pathOf, type Declaration, type DeclaredRecord } from './declaration.ts';
import { declaredValue, referenceTo } from './declared-configuration.ts';
import type { ManagedState, OwnedRecord } from './managed-state.ts';
import type { PlanWarning } from './plan.ts';

export type ExportedDeclaration = Declaration & {
  /** What was left out, if anything was. */
  readonly warnings?: readonly PlanWarning[];
};

/**
 * The live records of a manager as a declaration that says the same of any project: without ids, without what a new record
 * has anyway, without what the present schema of its plugin no longer takes, and with references in place of secrets. Yields
 * after each record.
 */
export function* exportDeclaration(
  manager: string,
  state: ManagedState,
  box: SecretBox,
): Generator<void, ExportedDeclaration, void> {
  const secretName = secretNames();
  const families = perFamily((): DeclaredRecord[] => []);
  const warnings: PlanWarning[] = [];
  for (const family of FAMILIES) {
    const live = state.families[family].owned.filter(({ record }) => !record.deleted);
    for (const owned of live.toSorted((a, b) => byPosition(a.record, b.record))) {
      const { record, leftOut } = exported(owned, { state, box, secretName });
      const index = families[family].push(record) - 1;
      if (leftOut.length > 0) warnings.push(warningOf(`${pathOf(family, index)}.config`, leftOut));
      yield;
    }
  }
  return { manager, ...families, ...(warnings.length > 0 && { warnings }) };
}

interface Context {
  readonly state: ManagedState;
  readonly box: SecretBox;
  readonly secretName: (key: string, entry: string) => string;
}

const SHOWN_MAX = 1000;

function warningOf(attr: string, leftOut: readonly string[]): PlanWarning {
  const names = leftOut.map((name) => JSON.stringify(name)).join(', ');
  const shown = names.length > SHOWN_MAX ? `${names.slice(0, SHOWN_MAX).toWellFormed()}…` : names;
  return { attr, detail: `Left out, since the plugin's present schema does not take them: ${shown}.` };
}

interface Exported {
  readonly record: DeclaredRecord;
  /** The names of the entries that a plan would reject. */
  readonly leftOut: readonly string[];
}

function exported({ key, preventDestroy, record, secrets }: OwnedRecord, context: Context): Exported {
  const { plugin, enabled, name, description } = record;
  const { config, leftOut } = exportedConfiguration(key, { record, secrets }, context);
  return {
    record: {
      key,
      plugin,
      ...(enabled && { enabled }),
      ...(name !== null && { name }),
      ...(description !== null && { description }),
      ...(Object.keys(config).length > 0 && { config }),
      ...(preventDestroy && { preventDestroy }),
    },
    leftOut,
  };
}

function exportedConfiguration(
  key: string,
  { record, secrets }: Pick<OwnedRecord, 'record' | 'secrets'>,
  { state, box, secretName }: Context,
): { readonly config: JsonObject; readonly leftOut: readonly string[] } {
  const schema = state.plugins.get(record.plugin)?.plugin.configSchema;
  const stored = conceal({ config: record.config, secrets }, schema ?? [], box);
  const fields = schema && new Map(schema.map((field) => [field.key, field]));
  const entries: (readonly [string, Json])[] = [];
  const leftOut: string[] = [];
  for (const [entry, value] of [...readValues(stored.config)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const field = fields?.get(entry);
    const isSecret = stored.secrets.has(entry);
    const isUsual = canonicalJson(value) === canonicalJson(field?.default ?? null);
    // The value of a secret entry that was cleared is empty.
    if (!isSecret && (isUsual || field?.secret === true)) continue;
    const isTaken = fields === undefined || (field !== undefined && (isSecret || isValid(field, value)));
    if (!isTaken) leftOut.push(entry);
    else entries.push([entry, isSecret ? referenceTo(secretName(key, entry)) : declaredValue(value)]);
  }
  return { config: Object.fromEntries(entries), leftOut };
}

function isValid(field: ConfigField, value: Json): boolean {
  try {
    checkValue(field, value);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
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
