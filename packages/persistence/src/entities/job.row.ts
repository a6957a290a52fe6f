import { defineEntity, p } from '@mikro-orm/core';
import { ENDED_JOB_STATES, JOB_STATES, type Family, type JobState } from '@plugin-config/domain';
import { authorColumns } from './author-columns.ts';
import { ConfigRecordRow } from './config-record.row.ts';
import { listed } from './families-in-sql.ts';

export const JobRow = defineEntity({
  name: 'JobRow',
  tableName: 'job',
  properties: {
    id: p.uuid().primary(),
    projectId: p.bigint('number'),
    /** Null for a check. */
    recordId: p
      .manyToOne(ConfigRecordRow)
      .mapToPk()
      .joinColumn('record_id')
      .foreignKeyName('job_record_id_fkey')
      .deleteRule('no action')
      .strictNullable(),
    /** The change, or what a runtime gets, encrypted. */
    work: p.blob(),
    state: p.text().$type<JobState>(),
    attempts: p.integer(),
    error: p.text().strictNullable(),
    ...authorColumns(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    finishedAt: p.datetime(3).strictNullable(),
    // The rest is null for changes.
    family: p.text().$type<Family>().strictNullable(),
    plugin: p.integer().strictNullable(),
    type: p.text().strictNullable(),
    timeoutSeconds: p.integer().strictNullable(),
    taskId: p.bigint('number').strictNullable(),
    /** Since when a runtime may take it; null while one has it, or another job of the record comes first. */
    openAt: p.datetime(3).strictNullable(),
    /** The runtime that took it last. */
    instance: p.text().strictNullable(),
    progress: p.double().$type<number>().strictNullable(),
    message: p.text().strictNullable(),
    /** What the runtime returned, encrypted. */
    output: p.blob().strictNullable(),
    /** Whether the runtime is asked to stop. */
    cancelling: p.boolean().default(false),
  },
  indexes: [
    { name: 'job_record_index', properties: ['recordId', 'createdAt', 'id'], include: ['state'] },
    { name: 'job_finished_index', properties: ['finishedAt', 'id'], where: 'finished_at is not null' },
    { name: 'job_open_index', properties: ['openAt', 'id'], where: 'open_at is not null' },
    {
      name: 'job_open_check_index',
      properties: ['openAt', 'id'],
      where: 'open_at is not null and record_id is null',
    },
    { name: 'job_check_index', properties: ['projectId', 'id'], where: 'record_id is null' },
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
    { name: 'job_record_check', expression: 'record_id is not null or type is not null' },
  ],
});
