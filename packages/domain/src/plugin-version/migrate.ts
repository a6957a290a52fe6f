import type { SecretNames, Values } from '../configuration/configuration.ts';
import { isObject, type Json, type JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import { partsOf, type MigrationStep, type Split } from './migration-step.ts';

/** What a person has to decide about an entry. Names no value. */
export interface Lack {
  readonly attr: string;
  readonly detail: string;
}

/** The result of a migration. */
export interface Migrated {
  readonly values: Values;
  /** Why a person has to look at the configuration; empty if the migration did everything. */
  readonly lacks: readonly Lack[];
  /** The keys of entries whose values were lost. */
  readonly lost: readonly string[];
}

/** Migrates the values of a configuration, of which some entries are secret. Total and pure. */
export type Migrate = (values: Values, secretNames: SecretNames) => Migrated;

/** Longer texts are not split. */
const SPLIT_TEXT_MAX = 10_000;

type RunStep = (state: State) => void;

interface State {
  readonly values: Map<string, Json>;
  readonly secretNames: SecretNames;
  readonly lacks: Lack[];
  readonly lost: string[];
}

/**
 * Returns the migration that steps describe. A step that needs a person leaves its entry alone. For a secret, that
 * never depends on its value, so the result reveals nothing about it.
 */
export function migrationOf(jsonSchemas: JsonSchemas, steps: readonly MigrationStep[]): Migrate {
  const runs = steps.map((step) => runOf(jsonSchemas, step));
  return (values, secretNames) => {
    const state: State = { values: new Map(values), secretNames, lacks: [], lost: [] };
    for (const run of runs) run(state);
    return { values: state.values, lacks: state.lacks, lost: [...new Set(state.lost)] };
  };
}

function runOf(jsonSchemas: JsonSchemas, step: MigrationStep): RunStep {
  if ('rename' in step) return (state) => rename(state, step.rename);
  if ('move' in step) return runOfMove(step.move);
  if ('map' in step) return (state) => map(state, step.map);
  if ('split' in step) return runOfSplit(jsonSchemas, step.split);
  if ('remove' in step) {
    return ({ values, lost }) => {
      if (values.delete(step.remove)) lost.push(step.remove);
    };
  }
  if ('default' in step) {
    const { key, value } = step.default;
    return ({ values }) => void (values.has(key) || values.set(key, value));
  }
  return ({ values, lacks }) => {
    const value = values.get(step.require);
    if (value === undefined || value === '') lack(lacks, step.require, 'Has to be set.');
  };
}

function rename(state: State, { from, to }: { readonly from: string; readonly to: string }): void {
  const { values, secretNames, lacks } = state;
  const value = values.get(from);
  if (value === undefined || from === to) return;
  if (secretNames.has(from) && !secretNames.has(to)) {
    lack(lacks, from, `Is secret, and "${to}" is not.`);
    return;
  }
  values.delete(from);
  set(state, to, value);
}

function map(
  { values, secretNames, lacks }: State,
  { key, values: known }: { readonly key: string; readonly values: JsonObject },
): void {
  const value = values.get(key);
  if (value === undefined) return;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const mapped = !secretNames.has(key) && Object.hasOwn(known, text) ? known[text] : undefined;
  if (mapped === undefined) lack(lacks, key, 'The migration does not know its value.');
  else values.set(key, mapped);
}

function runOfSplit(jsonSchemas: JsonSchemas, { key, pattern, numbers = [] }: Split): RunStep {
  const { split } = jsonSchemas.pattern(pattern, 'migrations');
  return (state) => {
    const { values, secretNames, lacks } = state;
    const value = values.get(key);
    if (value === undefined) return;
    const isText = typeof value === 'string' && value.length <= SPLIT_TEXT_MAX;
    const groups = isText && !secretNames.has(key) ? split(value) : null;
    const parts = [...(groups ?? [])].map(
      ([name, text]) => [name, numbers.includes(name) ? numberIn(text) : text] as const,
    );
    if (groups === null || parts.some(([, part]) => part === null)) {
      lack(lacks, key, 'The migration cannot split its value.');
      return;
    }
    values.delete(key);
    for (const [name, part] of parts) if (part !== null) set(state, name, part);
  };
}

/** Returns the number that a text spells; null if the number would not convert back to the same text. */
function numberIn(text: string): number | null {
  const number = Number(text);
  return String(number) === text && Number.isFinite(number) ? number : null;
}

function runOfMove(move: { readonly from: string; readonly to: string }): RunStep {
  const [from, to] = [partsOf(move.from), partsOf(move.to)];
  const [[source, ...inner], [target, ...within]] = [from, to];
  if (inner.length + within.length === 0) return (state) => rename(state, move);
  return (state) => {
    const { values, secretNames, lacks, lost } = state;
    const value = valueAt(values.get(source), inner);
    if (value === undefined || move.from === move.to) return;
    if (secretNames.has(source) || secretNames.has(target)) {
      lack(lacks, source, 'A secret is an entry, and cannot be part of one.');
      return;
    }
    const rest = withoutAt(values.get(source), inner);
    const parent = source === target ? rest : values.get(target);
    const changed = withAt(parent, within, value);
    if (changed === undefined) {
      lack(lacks, target, 'Is no object.');
      return;
    }
    if (valueAt(parent, within) !== undefined) lost.push(move.to);
    if (rest === undefined) values.delete(source);
    else values.set(source, rest);
    values.set(target, changed);
  };
}

function set({ values, lost }: State, key: string, value: Json): void {
  if (values.has(key)) lost.push(key);
  values.set(key, value);
}

function lack(lacks: Lack[], attr: string, detail: string): void {
  lacks.push({ attr, detail });
}

function valueAt(value: Json | undefined, [name, ...inner]: readonly string[]): Json | undefined {
  if (name === undefined) return value;
  return isObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], inner) : undefined;
}

/** Returns the value without one of its parts, which exists; undefined for the whole value. */
function withoutAt(value: Json | undefined, [name, ...inner]: readonly string[]): Json | undefined {
  if (name === undefined || !isObject(value)) return undefined;
  const part = withoutAt(value[name], inner);
  const others = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(part === undefined ? others : [...others, [name, part]]);
}

/** Returns the value with one of its parts set; undefined if something on the path is not an object. */
function withAt(value: Json | undefined, [name, ...inner]: readonly string[], part: Json): Json | undefined {
  if (name === undefined) return part;
  const object = value ?? {};
  if (!isObject(object)) return undefined;
  const changed = withAt(Object.hasOwn(object, name) ? object[name] : undefined, inner, part);
  return changed === undefined ? undefined : Object.fromEntries([...Object.entries(object), [name, changed]]);
}
