import type {
  ConfigRecord,
  Document,
  OwnedRecord,
  Plan,
  PlanAction,
  PlannedField,
} from '@plugin-config/client';
import { parseExactly } from '../editing/exact-json.ts';
import { valueText } from '../record/changes.ts';

/** The verb of each action, for a plan and for an apply. */
export const ACTIONS = {
  create: ['attach', 'attached'],
  update: ['change', 'changed'],
  delete: ['delete', 'deleted'],
  restore: ['restore', 'restored'],
  move: ['move', 'moved'],
} as const satisfies Record<PlanAction, readonly [string, string]>;

/** The maximum length of a key. */
const KEY_MAX = 100;

const SECRETS = {
  set: 'will be set',
  changed: 'will change',
  unchanged: 'unchanged',
  cleared: 'will be cleared',
  unknown: 'may change (no value given)',
} as const satisfies Record<NonNullable<PlannedField['secret']>, string>;

/** Summarises a plan in one sentence. */
export function summaryText({ summary }: Pick<Plan, 'summary'>): string {
  const parts = actionsIn(summary).map((action) => `${ACTIONS[action][0]} ${summary[action]}`);
  return parts.length === 0 ? 'Nothing would change.' : `This would ${parts.join(', ')}.`;
}

/** Summarises an apply in one sentence. */
export function appliedText({ summary }: Pick<Plan, 'summary'>): string {
  const parts = actionsIn(summary).map((action) => `${summary[action]} ${ACTIONS[action][1]}`);
  return `Applied: ${parts.join(', ') || 'no changes'}.`;
}

const actionsIn = (summary: Plan['summary']): readonly PlanAction[] =>
  (Object.keys(ACTIONS) as PlanAction[]).filter((action) => summary[action] > 0);

/** Describes the change to a field. A new record had no value before. */
export function fieldText({ before, after, secret }: PlannedField, action: PlanAction = 'update'): string {
  if (secret !== undefined) return SECRETS[secret];
  if (before === undefined || action === 'create') return valueText(after);
  return `${valueText(before)} → ${valueText(after)}`;
}

/** Parses a document. @throws Error if it is not valid JSON */
export function documentOf(text: string): Document {
  try {
    return parseExactly(text) as Document;
  } catch (error) {
    throw new Error(`Invalid document: ${(error as Error).message}.`, { cause: error });
  }
}

/** The records of each manager, sorted by name. */
export function managersOf(records: readonly OwnedRecord[]) {
  return [...Map.groupBy(records, ({ manager }) => manager)]
    .map(([name, owned]) => ({ name, owned }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Returns the commands that start a document with a plugin config, under a key made from its name. */
export function adoptionOf(projectId: number, { id, name }: Pick<ConfigRecord, 'id' | 'name'>): string {
  const words = name?.toLowerCase().match(/[a-z0-9]+/g) ?? ['record', id];
  const key = words.join('-').slice(0, KEY_MAX);
  const options = `--project ${projectId} --manager my-team`;
  return [
    `npm run --silent cli -- config adopt plugin_configs/${id}=${key} ${options}`,
    `npm run --silent cli -- config export ${options} > config.yaml`,
  ].join('\n');
}
