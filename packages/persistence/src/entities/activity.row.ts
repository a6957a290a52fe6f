import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ACTIVITIES, type Activity, type FieldChange } from '@plugin-config/domain';
import { listed } from './listed.ts';
import { ConfigRecordRow } from './config-record.row.ts';

export const ActivityRow = defineEntity({
  name: 'ActivityRow',
  tableName: 'activity',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    /** No foreign key: its check is a tenth of a write's cost, and each entry is made from a record that is locked. */
    record: p.manyToOne(ConfigRecordRow).createForeignKeyConstraint(false),
    activity: p.text().$type<Activity>(),
    createdAt: p.datetime(3),
    /** No foreign key: a history outlives the API key. */
    actorKeyId: p.bigint('number').strictNullable(),
    actorLabel: p.text(),
    requestId: p.text().strictNullable(),
    /** The apply of a declaration that the change is a part of. */
    applyId: p.uuid().strictNullable(),
    /** Changes of the configuration have a field alone. */
    changes: p.json<readonly (FieldChange | Pick<FieldChange, 'field'>)[]>().columnType('json'),
    /** The values before and after of those, in their order, encrypted; null if there are none. */
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
      /** What the history of a family is filtered by: it reads thousands of entries of many records. */
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
