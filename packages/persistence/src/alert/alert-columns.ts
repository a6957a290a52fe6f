import { SERVICE, type Alert, type AlertRule, type Incident } from '@plugin-config/domain';
import { AlertRow, IncidentRow } from '../entities/alert.row.ts';
import { rowOf, writtenOf } from '../postgres/table.ts';
import { columns } from '../postgres/columns.ts';
import type { Parameter } from '../postgres/statement.ts';

const ROW = rowOf(AlertRow, 'a', ['closing']);

/** The columns of an alert `a`. */
export const ALERT = columns((row): Alert => {
  const { requiredN: n, requiredM: m, ...alert } = row.all(ROW);
  return { ...alert, required: { n, m } };
});

/** The columns of a rule. */
export const RULE = writtenOf(AlertRow, [
  'id',
  'projectId',
  'version',
  'createdAt',
  'updatedAt',
  'evaluatedAt',
  'closing',
]);

export function ruleValues({ required: { n, m }, ...rule }: AlertRule): readonly Parameter[] {
  return RULE.values({ ...rule, requiredN: n, requiredM: m });
}

const INCIDENT_ROW = rowOf(IncidentRow, 'i', ['projectId', 'plugin', 'isOpen']);

/** The columns of an incident `i`. */
export const INCIDENT = columns((row): Incident => {
  const { recordId, alertProjectId, ...incident } = row.all(INCIDENT_ROW);
  return {
    ...incident,
    alertProjectId: alertProjectId === SERVICE ? null : alertProjectId,
    recordId: recordId === null || recordId < 0 ? null : recordId,
  };
});
