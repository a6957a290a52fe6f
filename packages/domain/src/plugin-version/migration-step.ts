import type { SecretNames } from '../configuration/configuration.ts';
import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkJson, checkNumbers, type Json, type JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import { checkText, utf8Length } from '../kernel/text.ts';
import { MIGRATION_LIMITS } from '../vocabulary/vocabulary.ts';

interface FromTo {
  readonly from: string;
  readonly to: string;
}

/** Replaces a text by the named groups of a pattern; those in `numbers` become numbers. */
export interface Split {
  readonly key: string;
  readonly pattern: string;
  readonly numbers?: readonly string[] | undefined;
}

/** One step of a migration. Keys are those of entries, except in `move`, where a path may lead into entries. */
export type MigrationStep =
  | { readonly rename: FromTo }
  | { readonly remove: string }
  /** Sets an entry that is absent. */
  | { readonly default: { readonly key: string; readonly value: Json } }
  /** Replaces a value by the one it maps to. */
  | { readonly map: { readonly key: string; readonly values: JsonObject } }
  | { readonly move: FromTo }
  | { readonly split: Split }
  /** A person has to set the entry. */
  | { readonly require: string };

/** Migrates configurations from a schema version to the next one. */
export interface ConfigMigration {
  readonly from: number;
  readonly steps: readonly MigrationStep[];
}

/** Returns the parts of a path, such as `server.host`: the key of an entry, and names inside of it. */
export function partsOf(path: string): readonly [string, ...string[]] {
  const [key = '', ...inner] = path.split('.');
  return [key, ...inner];
}

/** Returns the keys of the entries that a step writes or reads. */
function keysOf(step: MigrationStep): readonly string[] {
  if ('rename' in step) return [step.rename.from, step.rename.to];
  if ('move' in step) return [...partsOf(step.move.from), ...partsOf(step.move.to)];
  if ('remove' in step) return [step.remove];
  if ('default' in step) return [step.default.key];
  if ('map' in step) return [step.map.key];
  if ('split' in step) return [step.split.key];
  return [step.require];
}

/**
 * Returns the secret names after migrations: what a secret entry becomes is secret, too. Migrations may run in any
 * order, since a name may be declared secret long after an entry was renamed.
 */
export function secretNamesAfter(
  names: Iterable<string>,
  migrations: readonly ConfigMigration[],
): ReadonlySet<string> {
  const secret = new Set(names);
  const renames = migrations.flatMap(({ steps }) => steps.flatMap(renameIn));
  for (let size = -1; size !== secret.size;) {
    size = secret.size;
    for (const { from, to } of renames) if (secret.has(from)) secret.add(to);
  }
  return secret;
}

/** Returns the entry that a step renames, if it does. */
function renameIn(step: MigrationStep): readonly FromTo[] {
  if ('rename' in step) return [step.rename];
  if (!('move' in step)) return [];
  const [from, to] = [partsOf(step.move.from), partsOf(step.move.to)];
  return from.length === 1 && to.length === 1 ? [step.move] : [];
}

/**
 * Rejects steps that could not work, or that would treat secrets by their values.
 * @param secretNames those of the plugin, with `secretNamesAfter` the migrations
 */
export function checkMigrations(
  jsonSchemas: JsonSchemas,
  migrations: readonly ConfigMigration[],
  secretNames: SecretNames,
): void {
  const steps = migrations.flatMap((migration) => migration.steps);
  if (steps.length > MIGRATION_LIMITS.steps) {
    throw rejected(`They have ${steps.length} steps; at most ${MIGRATION_LIMITS.steps} are allowed.`);
  }
  if (utf8Length(JSON.stringify(migrations)) > MIGRATION_LIMITS.bytes) {
    throw new DomainError('too_large', 'Ensure these take no more than 64 KiB.', { attr: 'migrations' });
  }
  for (const step of steps) checkStep(jsonSchemas, step, secretNames);
}

function checkStep(jsonSchemas: JsonSchemas, step: MigrationStep, secretNames: SecretNames): void {
  for (const key of keysOf(step)) {
    if (key === '') throw rejected('A step needs a key, and a path no empty part.');
    checkText(key, { attr: 'migrations', max: MIGRATION_LIMITS.key });
  }
  const forbid = (key: string, what: string): void => {
    if (secretNames.has(key)) throw rejected(`The secret "${key}" cannot be ${what}.`);
  };
  if ('default' in step) {
    checkJson(step.default.value, 'migrations');
    checkNumbers(step.default.value, 'migrations');
    forbid(step.default.key, 'set by a migration');
  } else if ('map' in step) {
    checkJson(step.map.values, 'migrations');
    checkNumbers(step.map.values, 'migrations');
    forbid(step.map.key, 'mapped');
  } else if ('split' in step) {
    const { groups } = jsonSchemas.pattern(step.split.pattern, 'migrations');
    if (groups.length === 0) throw rejected('A pattern needs a named group, such as (?<host>[^:]+).');
    const unknown = step.split.numbers?.find((name) => !groups.includes(name));
    if (unknown !== undefined) throw rejected(`The pattern has no group "${unknown}".`);
    forbid(step.split.key, 'split');
  } else if ('move' in step) {
    checkMove(step.move, forbid);
  }
}

function checkMove({ from, to }: FromTo, forbid: (key: string, what: string) => void): void {
  const [source, target] = [partsOf(from), partsOf(to)];
  if (Math.max(source.length, target.length) > MIGRATION_LIMITS.depth) {
    throw rejected(`A path has at most ${MIGRATION_LIMITS.depth} parts.`);
  }
  if (source.length === 1 && target.length === 1) return;
  for (const [key] of [source, target]) forbid(key, 'moved into or out of an object');
}

function rejected(message: string): DomainError {
  return invalidInput('migrations', message);
}
