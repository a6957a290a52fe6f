import { defineEntity, p } from '@mikro-orm/core';
import { ProjectRow } from './project.row.ts';

/** The queue of a project's unfinished jobs. */
export const JobQueueRow = defineEntity({
  name: 'JobQueueRow',
  tableName: 'job_queue',
  properties: {
    project: p
      .oneToOne(ProjectRow)
      .owner()
      .primary()
      .unique(false)
      .foreignKeyName('job_queue_project_id_fkey')
      .updateRule('no action')
      .deleteRule('no action'),
    /** When the project is next looked at: not later than its next job is due, `infinity` without a job. */
    dueAt: p.datetime(6),
  },
  indexes: [{ name: 'job_queue_due_index', properties: ['dueAt'] }],
});
