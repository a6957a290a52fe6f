import type { Json, JsonObject, PluginField } from '@plugin-config/client';
import { keepsItsValue } from '@plugin-config/domain/exact-number';
import { ENTRY, type Change, type Changes } from '../record/changes.ts';
import { isSecretSet } from '../record/plugin-info.ts';
import { parseExactly } from './exact-json.ts';
import { referenceIn } from './reference.ts';

export interface Field extends Omit<PluginField, 'key' | 'choices'> {
  /** The name of the field in the activity. */
  readonly name: string;
  readonly label: string;
  readonly choices?: readonly Json[] | undefined;
  /** What choices are called, where it is not their value. */
  readonly choiceLabels?: readonly (string | undefined)[];
  /** Whether a string is a time. */
  readonly isTime?: boolean;
  /** The stored value; for a secret, its mask. */
  readonly stored: Json | undefined;
}

/** The editable part of a record. */
export interface Form {
  readonly fields: readonly Field[];
  /** Configuration entries without a field, edited together as JSON; null if there cannot be any. */
  readonly others: JsonObject | null;
  /** Explains the other entries. */
  readonly othersNote?: string;
}

/** The name of the editor for the other entries. */
export const OTHERS = 'config';

/** The text in a field, or null to clear a secret. A reference is written as JSON. */
export type Draft = string | null;

/** Unsaved input by field name. */
export type Drafts = ReadonlyMap<string, Draft>;

export const NO_DRAFTS: Drafts = new Map();

/** Returns the drafts with another one for a field; undefined removes it. */
export function withDraft(drafts: Drafts, name: string, draft: Draft | undefined): Drafts {
  const next = new Map(drafts);
  if (draft === undefined) next.delete(name);
  else next.set(name, draft);
  return next;
}

type Parsed = { readonly value: Json | undefined } | { readonly problem: string };

/** Returns the text of the stored value; empty for a secret. */
export function storedText({ type, stored, secret }: Field): string {
  if (stored === undefined || secret === true) return '';
  if (type === 'json') return JSON.stringify(stored, null, 2);
  return typeof stored === 'string' && type !== 'choice' && type !== 'boolean'
    ? stored
    : JSON.stringify(stored);
}

/** Returns all fields, including the editor for the other entries. */
export function fieldsOf({ fields, others, othersNote }: Form): readonly Field[] {
  if (others === null) return fields;
  const label = fields.length === 0 ? 'Configuration (JSON)' : 'Other entries (JSON)';
  return [...fields, { name: OTHERS, label, type: 'json', stored: others, hint: othersNote }];
}

/** Returns the stored text of a field; undefined for a secret. */
export function shownText(form: Form, name: string): string | undefined {
  const field = fieldsOf(form).find((one) => one.name === name);
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
    else
      for (const [name, change] of otherChanges(form.others, parsed.value as JsonObject))
        changes.set(name, change);
  }
  return { changes, problems };
}

function draftValue(field: Field, draft: Draft | undefined): Parsed {
  if (draft === null) return { value: undefined };
  if (draft === undefined || draft === storedText(field)) return { value: field.stored };
  return parse(field, draft);
}

/** Parses the text of a field. An empty text means no value. */
function parse({ type, secret }: Field, text: string): Parsed {
  if (text === '') return { value: undefined };
  const reference = secret === true ? referenceIn(text) : undefined;
  if (reference !== undefined) {
    const uri = reference.trim();
    return uri === '' ? { problem: 'Enter a reference, such as env://NAME.' } : { value: { $ref: uri } };
  }
  if (type === 'string') return { value: text };
  if (type === 'number') {
    const problem = numberProblem(text.trim());
    return problem === undefined ? { value: Number(text) } : { problem };
  }
  const parsed = parseJson(text);
  // The reason quotes the text, which may be secret.
  return 'problem' in parsed && secret === true ? { problem: 'This is not valid JSON.' } : parsed;
}

/** Returns what is wrong with the text of a number. */
export function numberProblem(text: string): string | undefined {
  if (keepsItsValue(text)) return undefined;
  return text === '' || Number.isNaN(Number(text))
    ? 'Enter a number.'
    : 'This number has too many digits to be stored exactly.';
}

export function parseJson(text: string): Parsed {
  try {
    return { value: parseExactly(text) as Json };
  } catch (error) {
    return { problem: `This is not valid JSON: ${(error as Error).message.replace(/\.$/, '')}.` };
  }
}

function isMissing({ secret, stored }: Field, parsed: Parsed): boolean {
  if (!('value' in parsed)) return false;
  if (secret === true && parsed.value === stored) return !isSecretSet(stored);
  return parsed.value === undefined || parsed.value === '';
}

function parseOthers(text: string, { fields }: Form): Parsed {
  const parsed = parseJson(text === '' ? '{}' : text);
  if ('problem' in parsed) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'Enter a JSON object, such as {"host": "example.com"}.' };
  }
  const field = fields.find(({ name }) => Object.hasOwn(value, name.slice(ENTRY.length)));
  return field === undefined ? parsed : { problem: `"${field.label}" has its own field above.` };
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

/** Compares two values by their JSON. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
