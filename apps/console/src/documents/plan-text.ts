import { parseExactly } from '../editing/exact-json.ts';
import type { Document, OwnedRecord, Plan, PlannedField } from '@plugin-config/client';

export const ACTIONS = {
  create: 'Attach',
  update: 'Change',
  delete: 'Delete',
  restore: 'Restore',
  move: 'Move',
} as const satisfies Record<Plan['changes'][number]['action'], string>;

const SECRETS = {
  set: 'will be set',
  changed: 'will change',
  unchanged: 'unchanged',
  cleared: 'will be cleared',
  unknown: 'may change (no value given)',
} as const satisfies Record<NonNullable<PlannedField['secret']>, string>;

const DONE = {
  create: 'attached',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored',
  move: 'moved',
} as const satisfies Record<keyof typeof ACTIONS, string>;

/** Summarises a plan in one sentence. */
export function summaryText({ summary }: Pick<Plan, 'summary'>): string {
  const parts = counted(summary, ACTIONS).map(([word, count]) => `${word.toLowerCase()} ${count}`);
  return parts.length === 0 ? 'Nothing would change.' : `This would ${parts.join(', ')}.`;
}

/** Summarises an apply in one sentence. */
export function appliedText({ summary }: Pick<Plan, 'summary'>): string {
  const parts = counted(summary, DONE).map(([word, count]) => `${count} ${word}`);
  return `Applied: ${parts.join(', ') || 'no changes'}.`;
}

function counted(
  summary: Plan['summary'],
  words: Readonly<Record<keyof typeof ACTIONS, string>>,
): readonly (readonly [string, number])[] {
  return Object.entries(words)
    .map(([action, word]) => [word, summary[action as keyof typeof ACTIONS]] as const)
    .filter(([, count]) => count > 0);
}

/** Describes the change of a field. A new record had no value before. */
export function fieldText(
  { before, after, secret }: PlannedField,
  action: keyof typeof ACTIONS = 'update',
): string {
  if (secret !== undefined) return SECRETS[secret];
  if (before === undefined || action === 'create') return textOf(after);
  return `${textOf(before)} → ${textOf(after)}`;
}

function textOf(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}

/** Parses a document. @throws Error if it is not valid JSON */
export function documentOf(text: string): Document {
  try {
    return parseExactly(text) as Document;
  } catch (error) {
    throw new Error(`Invalid document: ${(error as Error).message}.`, { cause: error });
  }
}

export interface Manager {
  readonly name: string;
  readonly count: number;
}

/** Counts the records of each manager, sorted by name. */
export function managersOf(records: readonly OwnedRecord[]): readonly Manager[] {
  const counts = new Map<string, number>();
  for (const { manager } of records) counts.set(manager, (counts.get(manager) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
