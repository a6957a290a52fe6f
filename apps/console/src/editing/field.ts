import type { Json, JsonObject, PluginField } from '@plugin-config/client';
import { ENTRY, type Change, type Changes } from '../record/changes.ts';
import { isSecretSet } from '../record/plugin-info.ts';
import { keepsItsValue, parseExactly } from './exact-json.ts';
import { referenceIn } from './reference.ts';

export interface Field extends Omit<PluginField, 'key'> {
  /** The name of the field in the activity. */
  readonly name: string;
  readonly label: string;
  /** The stored value; for a secret, its mask. */
  readonly stored: Json | undefined;
}

/** The editable part of a record. */
export interface Form {
  readonly fields: readonly Field[];
  /** Configuration entries without a field, edited together as JSON; null if there cannot be any. */
  readonly others: JsonObject | null;
}

/** The name of the editor for the other entries. */
export const OTHERS = 'config';

/** The text in a field, or null to clear a secret. A reference is its JSON. */
export type Draft = string | null;

/** Unsaved input by field name. */
export type Drafts = ReadonlyMap<string, Draft>;

type Parsed = { readonly value: Json | undefined } | { readonly problem: string };

/** Returns the text of the stored value; empty for a secret. */
export function storedText({ type, stored, secret }: Field): string {
  if (stored === undefined || secret === true) return '';
  if (type === 'json') return JSON.stringify(stored, null, 2);
  return typeof stored === 'string' && type !== 'choice' && type !== 'boolean'
    ? stored
    : JSON.stringify(stored);
}

export function othersText(others: JsonObject): string {
  return JSON.stringify(others, null, 2);
}

/** Returns the stored text of a field or of the other entries; undefined for a secret. */
export function shownText({ fields, others }: Form, name: string): string | undefined {
  if (name === OTHERS && others !== null) return othersText(others);
  const field = fields.find((one) => one.name === name);
  return field === undefined || field.secret === true ? undefined : storedText(field);
}

/** Returns the changes that the drafts make, and the problems by field name. */
export function changesOf(
  form: Form,
  drafts: Drafts,
): { readonly changes: Changes; readonly problems: ReadonlyMap<string, string> } {
  const changes = new Map<string, Change>();
  const problems = new Map<string, string>();
  for (const field of form.fields) {
    const parsed = draftValue(field, drafts.get(field.name));
    if ('problem' in parsed) problems.set(field.name, parsed.problem);
    else if (!isSame(parsed.value, field.stored)) {
      changes.set(field.name, { value: parsed.value, isSecret: field.secret === true });
    }
    if (!problems.has(field.name) && field.required === true && isMissing(field, parsed)) {
      problems.set(field.name, 'This field is required.');
    }
  }
  const draft = drafts.get(OTHERS);
  if (form.others !== null && draft != null) {
    const parsed = parseOthers(draft, form);
    if ('problem' in parsed) problems.set(OTHERS, parsed.problem);
    else for (const [name, change] of otherChanges(form.others, parsed.others)) changes.set(name, change);
  }
  return { changes, problems };
}

function draftValue(field: Field, draft: Draft | undefined): Parsed {
  if (draft === null) return { value: undefined };
  if (draft === undefined || draft === storedText(field)) return { value: field.stored };
  return parse(field, draft);
}

/** Parses the text of a field. An empty text is no value. */
function parse({ type, secret }: Field, text: string): Parsed {
  if (text === '') return { value: undefined };
  const reference = secret === true ? referenceIn(text) : undefined;
  if (reference !== undefined) {
    const uri = reference.trim();
    return uri === '' ? { problem: 'Enter a reference, such as env://NAME.' } : { value: { $ref: uri } };
  }
  if (type === 'string') return { value: text };
  if (type === 'number') {
    const source = text.trim();
    if (keepsItsValue(source)) return { value: Number(source) };
    return {
      problem: Number.isNaN(Number(source))
        ? 'Enter a number.'
        : 'This number has too many digits to be stored exactly.',
    };
  }
  try {
    return { value: parseExactly(text) as Json };
  } catch (error) {
    // The reason quotes the text, which may be secret.
    return {
      problem: secret === true ? 'This is not valid JSON.' : `This is not valid JSON: ${reasonOf(error)}.`,
    };
  }
}

function isMissing({ secret, stored }: Field, parsed: Parsed): boolean {
  if (!('value' in parsed)) return false;
  if (secret === true && parsed.value === stored) return !isSecretSet(stored);
  return parsed.value === undefined || parsed.value === '';
}

function parseOthers(
  text: string,
  { fields }: Form,
): { readonly others: JsonObject } | { readonly problem: string } {
  let value: unknown;
  try {
    value = parseExactly(text === '' ? '{}' : text);
  } catch (error) {
    return { problem: `This is not valid JSON: ${reasonOf(error)}.` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'Enter a JSON object, such as {"host": "example.com"}.' };
  }
  const others = value as JsonObject;
  const field = fields.find(({ name }) => Object.hasOwn(others, name.slice(ENTRY.length)));
  return field === undefined ? { others } : { problem: `"${field.label}" has its own field above.` };
}

function otherChanges(before: JsonObject, after: JsonObject): Changes {
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const keys = [...new Set([...old.keys(), ...current.keys()])];
  return new Map(
    keys
      .filter((key) => !isSame(old.get(key), current.get(key)))
      .map((key) => [ENTRY + key, { value: current.get(key), isSecret: false }]),
  );
}

/** Carries the kept changes over to another state of the record. */
export function rebased(form: Form, drafts: Drafts, kept: Changes): Drafts {
  const fields = new Set(form.fields.map(({ name }) => name));
  const left = new Map([...drafts].filter(([name]) => kept.has(name)));
  const others = [...kept].filter(([name]) => name.startsWith(ENTRY) && !fields.has(name));
  if (form.others === null || others.length === 0) return left;
  const entries = new Map(Object.entries(form.others));
  for (const [name, { value }] of others) {
    if (value === undefined) entries.delete(name.slice(ENTRY.length));
    else entries.set(name.slice(ENTRY.length), value);
  }
  return left.set(OTHERS, othersText(Object.fromEntries(entries)));
}

/** Compares two values by their JSON. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
