import type { Plan, PlanAction, PlannedChange, PlannedField, PlanSummary } from '@plugin-config/client';
import { styleText } from 'node:util';
import { printable } from '../table.ts';
import type { Locate } from './document-file.ts';

const SIGNS = {
  create: styled('green', '+'),
  update: styled('yellow', '~'),
  delete: styled('red', '-'),
  restore: styled('green', '+'),
  move: styled('cyan', '>'),
} as const satisfies Record<PlanAction, unknown>;

/** Formats the changes of a plan record by record, and its warnings with their positions in the file. */
export function showPlan({ changes, conflicts, warnings, summary }: Plan, locate: Locate): string {
  const problems = [
    ...warnings.map(({ attr, detail }) => warn(locate(attr, detail))),
    ...conflicts.map(({ family, key }) =>
      warn(`${family}/${key} has prevent_destroy: the service will reject this plan.`),
    ),
  ];
  return [...changes.map(showChange), ...problems, showSummary(summary)].join('\n');
}

export function showSummary(summary: PlanSummary): string {
  const counts = Object.entries(summary).filter(([, count]) => count > 0);
  if (counts.length === 0) return 'No changes.';
  return `${counts.map(([action, count]) => `${count} to ${action}`).join(', ')}.`;
}

/** Formats what an apply has changed. */
export function showApplied({ create, update, delete: deleted, restore, move }: PlanSummary): string {
  const done = { created: create, updated: update, deleted, restored: restore, moved: move };
  const counts = Object.entries(done).filter(([, count]) => count > 0);
  return counts.length === 0
    ? 'nothing changed'
    : counts.map(([word, count]) => `${count} ${word}`).join(', ');
}

function showChange({ action, family, key, id, fields }: PlannedChange): string {
  const name = printable(`${family}/${key}`);
  const title = `${SIGNS[action]()} ${action} ${name}${id === null ? '' : ` (id ${id})`}`;
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

function warn(text: string): string {
  return `${styleText('yellow', '!')} ${printable(text)}`;
}

/** Colours a text at the time of printing. Respects NO_COLOR and FORCE_COLOR; otherwise only a terminal gets colours. */
function styled(color: 'green' | 'yellow' | 'red' | 'cyan', text: string): () => string {
  return () => styleText(color, text);
}
