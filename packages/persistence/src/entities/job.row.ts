import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ENDED_JOB_STATES, JOB_STATES, type JobState } from '@plugin-config/domain';
import { ConfigRecordRow } from './config-record.row.ts';
import { listed } from './families-in-sql.ts';
import { ProjectRow } from './project.row.ts';

export const JobRow = defineEntity({
  name: 'JobRow',
  tableName: 'job',
  properties: {
    id: p.uuid().primary(),
    project: p.manyToOne(ProjectRow).createForeignKeyConstraint(false),
    record: p.manyToOne(ConfigRecordRow).foreignKeyName('job_record_id_fkey'),
    /** The change, encrypted. */
    work: p.blob(),
    state: p.text().$type<JobState>(),
    attempts: p.integer(),
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
  },
  indexes: [
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
