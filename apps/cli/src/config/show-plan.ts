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

/** Shows a plan, a record after the other, and its warnings at their places in the file. */
export function showPlan({ changes, conflicts, warnings, summary }: Plan, locate: Locate): string {
  const told = [
    ...warnings.map(({ attr, detail }) => warn(locate(attr, detail))),
    ...conflicts.map(({ family, key }) =>
      warn(`${family}/${key} has prevent_destroy: the service rejects this.`),
    ),
  ];
  return [...changes.map(showChange), ...told, showSummary(summary)].join('\n');
}

export function showSummary(summary: PlanSummary): string {
  const counts = Object.entries(summary).filter(([, count]) => count > 0);
  if (counts.length === 0) return 'Nothing changes.';
  return `${counts.map(([action, count]) => `${count} to ${action}`).join(', ')}.`;
}

/** Tells what an apply has changed. */
export function showDone({ create, update, delete: deleted, restore, move }: PlanSummary): string {
  const done = { created: create, updated: update, deleted, restored: restore, moved: move };
  const counts = Object.entries(done).filter(([, count]) => count > 0);
  return counts.length === 0
    ? 'nothing changed'
    : counts.map(([word, count]) => `${count} ${word}`).join(', ');
}

function showChange({ action, family, key, id, fields }: PlannedChange): string {
  const name = printable(`${family}/${key}`);
  const title = `${SIGNS[action]()} ${action} ${name}${id === null ? '' : ` (id ${id})`}`;
  const shown = action === 'delete' ? [] : fields.filter(({ secret }) => secret !== 'unchanged');
  // What a new record would have anyway is nothing that anybody had.
  const told = action === 'create' ? shown.map((field) => ({ ...field, before: null })) : shown;
  return [title, ...told.map((field) => `    ${showField(field)}`)].join('\n');
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

/** Colours a text when it is printed: NO_COLOR, FORCE_COLOR and whether standard output is a terminal decide. */
function styled(color: 'green' | 'yellow' | 'red' | 'cyan', text: string): () => string {
  return () => styleText(color, text);
}
