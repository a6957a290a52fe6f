import type { Plan, PlanAction, PlannedChange, PlannedField, PlanSummary } from '@plugin-config/client';
import { styleText } from 'node:util';
import type { Locate } from '../explain-error.ts';
import { printable } from '../output.ts';

const ACTIONS = {
  create: { color: 'green', sign: '+', done: 'created' },
  update: { color: 'yellow', sign: '~', done: 'updated' },
  delete: { color: 'red', sign: '-', done: 'deleted' },
  restore: { color: 'green', sign: '+', done: 'restored' },
  move: { color: 'cyan', sign: '>', done: 'moved' },
} as const satisfies Record<PlanAction, unknown>;

/** Formats the changes of a plan record by record, and its warnings with their positions in the file. */
export function showPlan({ changes, conflicts, warnings, summary }: Plan, locate: Locate): string {
  const problems = [
    ...warnings.map(({ attr, detail }) => locate(attr, detail)),
    ...conflicts.map(
      ({ family, key }) => `${family}/${key} has prevent_destroy: the service will reject this plan.`,
    ),
  ];
  const warned = problems.map((text) => `${styleText('yellow', '!')} ${printable(text)}`);
  return [...changes.map(showChange), ...warned, showSummary(summary)].join('\n');
}

export function showSummary(summary: PlanSummary): string {
  const counts = counted(summary, (count, action) => `${count} to ${action}`);
  return counts === '' ? 'No changes.' : `${counts}.`;
}

/** Formats the changes that an apply made. */
export function showApplied(summary: PlanSummary): string {
  return counted(summary, (count, action) => `${count} ${ACTIONS[action].done}`) || 'nothing changed';
}

function counted(summary: PlanSummary, show: (count: number, action: PlanAction) => string): string {
  const actions = Object.keys(ACTIONS) as PlanAction[];
  return actions.flatMap((action) => (summary[action] > 0 ? show(summary[action], action) : [])).join(', ');
}

function showChange({ action, family, key, id, fields }: PlannedChange): string {
  const { color, sign } = ACTIONS[action];
  const name = printable(`${family}/${key}`);
  const title = `${styleText(color, sign)} ${action} ${name}${id === null ? '' : ` (id ${id})`}`;
  const changed = action === 'delete' ? [] : fields.filter(({ secret }) => secret !== 'unchanged');
  // The old values of a new record are only defaults.
  const shown = action === 'create' ? changed.map((field) => ({ ...field, before: null })) : changed;
  return [title, ...shown.map((field) => `    ${showField(field)}`)].join('\n');
}

function showField({ field, before, after, secret }: PlannedField): string {
  const name = printable(field);
  if (secret !== undefined) return `${name}: secret, ${secret}`;
  const from = before === undefined || before === null ? '' : `${printable(JSON.stringify(before))} → `;
  return `${name}: ${from}${printable(JSON.stringify(after ?? null))}`;
}
