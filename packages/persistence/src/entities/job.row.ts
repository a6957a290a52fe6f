import { defineEntity, p } from '@mikro-orm/core';
import { ENDED_JOB_STATES, JOB_STATES, type JobState, type Subject } from '@plugin-config/domain';
import { ConfigRecordRow } from './config-record.row.ts';
import { listed } from './families-in-sql.ts';

export const JobRow = defineEntity({
  name: 'JobRow',
  tableName: 'job',
  properties: {
    id: p.uuid().primary(),
    projectId: p.bigint('number'),
    recordId: p
      .manyToOne(ConfigRecordRow)
      .mapToPk()
      .joinColumn('record_id')
      .foreignKeyName('job_record_id_fkey'),
    /** The change, encrypted. */
    work: p.blob(),
    state: p.text().$type<JobState>(),
    attempts: p.integer(),
    error: p.text().strictNullable(),
    actorKeyId: p.bigint('number').strictNullable(),
    actorLabel: p.text(),
    actorSubject: p.json<Subject>().columnType('json').strictNullable(),
    requestId: p.text().strictNullable(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    finishedAt: p.datetime(3).strictNullable(),
  },
  indexes: [
    { name: 'job_record_index', properties: ['recordId', 'createdAt', 'id'], include: ['state'] },
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
