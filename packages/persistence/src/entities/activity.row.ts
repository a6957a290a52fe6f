import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ACTIVITIES, type Activity, type FieldChange } from '@plugin-config/domain';
import { listed } from './listed.ts';
import { ConfigRecordRow } from './config-record.row.ts';

export const ActivityRow = defineEntity({
  name: 'ActivityRow',
  tableName: 'activity',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    /** No foreign key: its check would take a tenth of the time of a write, and entries are only made for locked records. */
    record: p.manyToOne(ConfigRecordRow).createForeignKeyConstraint(false),
    activity: p.text().$type<Activity>(),
    createdAt: p.datetime(3),
    /** No foreign key: the history outlives the API key. */
    actorKeyId: p.bigint('number').strictNullable(),
    actorLabel: p.text(),
    requestId: p.text().strictNullable(),
    /** The apply of a declaration that made the change. */
    applyId: p.uuid().strictNullable(),
    /** Changes of the configuration have no values here. */
    changes: p.json<readonly (FieldChange | Pick<FieldChange, 'field'>)[]>().columnType('json'),
    /** The encrypted values before and after each change of the configuration, in order; null if there are none. */
    configChanges: p.blob().strictNullable(),
    changesBytes: p
      .integer()
      .generated('(octet_length(changes::text) + coalesce(octet_length(config_changes), 0)) stored'),
    more: p.integer().default(0),
  },
  indexes: [
    {
      name: 'activity_record_index',
      properties: ['record', 'id'],
      /** The filters of a family's history, which reads thousands of entries of many records. */
      include: ['createdAt', 'activity', 'actorKeyId'],
    },
  ],
  checks: [
    {
      name: 'activity_activity_check',
      expression: `activity in (${listed(ACTIVITIES)})`,
    },
    { name: 'activity_changes_check', expression: `json_typeof(changes) = 'array'` },
    { name: 'activity_more_check', expression: 'more >= 0' },
  ],
});

export type ActivityRow = InferEntity<typeof ActivityRow>;
