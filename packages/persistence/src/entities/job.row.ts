import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ENDED_JOB_STATES, JOB_STATES, type JobState } from '@plugin-config/domain';
import { ConfigRecordRow } from './config-record.row.ts';
import { listed } from './families-in-sql.ts';
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
    /** When workers look at the project next: no later than its next job is due; `infinity` if it has no job. */
    dueAt: p.datetime(6),
  },
  indexes: [{ name: 'job_queue_due_index', properties: ['dueAt'] }],
});

export const JobRow = defineEntity({
  name: 'JobRow',
  tableName: 'job',
  properties: {
    id: p.uuid().primary(),
    project: p.manyToOne(JobQueueRow).fieldName('project_id').createForeignKeyConstraint(false),
    record: p.manyToOne(ConfigRecordRow).foreignKeyName('job_record_id_fkey'),
    /** The change or the task, encrypted. */
    work: p.blob(),
    state: p.text().$type<JobState>(),
    attempts: p.integer(),
    claims: p.integer().default(0),
    error: p.text().strictNullable(),
    /** The size of the error, to avoid reading it. */
    errorBytes: p
      .integer()
      .formula(({ error }) => `coalesce(octet_length(${error}), 0)`)
      .lazy(),
    actorKeyId: p.bigint('number').strictNullable(),
    actorLabel: p.text(),
    requestId: p.text().strictNullable(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    finishedAt: p.datetime(3).strictNullable(),
    /** When the job may be claimed: at its next attempt if it is queued, at the end of its lease if it is running. */
    dueAt: p.datetime(6),
  },
  indexes: [
    { name: 'job_due_index', properties: ['project', 'dueAt', 'id'], where: 'finished_at is null' },
    { name: 'job_record_index', properties: ['record', 'createdAt', 'id'], include: ['state'] },
    { name: 'job_finished_index', properties: ['finishedAt', 'id'], where: 'finished_at is not null' },
  ],
  checks: [
    {
      name: 'job_state_check',
      expression: `state in (${listed(JOB_STATES)})`,
    },
    {
      name: 'job_finished_check',
      expression: `(state in (${listed(ENDED_JOB_STATES)})) = (finished_at is not null)`,
    },
    { name: 'job_attempts_check', expression: 'attempts >= 0' },
  ],
});

export type JobRow = InferEntity<typeof JobRow>;

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
