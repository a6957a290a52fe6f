import { defineEntity, p } from '@mikro-orm/core';
import { ProjectRow } from './project.row.ts';

/** Log lines of jobs that are not in the log yet. */
export const LogOutboxRow = defineEntity({
  name: 'LogOutboxRow',
  tableName: 'log_outbox',
  properties: {
    /** The id of the log entry. */
    id: p.uuid().primary(),
    project: p.manyToOne(ProjectRow).createForeignKeyConstraint(false),
    recordId: p.bigint('number'),
    timestamp: p.datetime(3),
    plugin: p.integer(),
    source: p.text(),
    type: p.text(),
    message: p.text(),
    instanceId: p.uuid(),
    /** When the line may be written: at once, or at the end of its lease. */
    dueAt: p.datetime(6),
  },
  indexes: [{ name: 'log_outbox_due_index', properties: ['project', 'dueAt', 'id'] }],
});
