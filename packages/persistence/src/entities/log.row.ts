import { defineEntity, p } from '@mikro-orm/core';

/**
 * Where the entries of a day are. `hot`: here. `archived`: in the archive. `late`: in the archive, and those here that arrived since.
 * `dropped`: nowhere.
 */
export type LogDayState = 'hot' | 'archived' | 'late' | 'dropped';

/** A day on which something was stored. Its partitions are named after it. */
export const LogDayRow = defineEntity({
  name: 'LogDayRow',
  tableName: 'log_day',
  properties: {
    day: p.date().primary(),
    state: p.text().$type<LogDayState>().default('hot'),
    /** The last run of the archiver that has finished. */
    run: p.integer().default(0),
    /** The number of entries that the archive has. */
    archived: p.bigint('number').default(0),
  },
  checks: [{ name: 'log_day_state_check', expression: `state in ('hot', 'archived', 'late', 'dropped')` }],
});

/** Partitioned by day. Has no foreign keys: workers check the records of a batch before they append it. */
export const LogEntryRow = defineEntity({
  name: 'LogEntryRow',
  tableName: 'log_entry',
  primaryKeys: ['recordId', 'timestamp', 'id'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    timestamp: p.datetime(3).primary(),
    id: p.uuid().primary(),
    instanceId: p.uuid(),
    plugin: p.integer(),
    /** The number of its source and type. */
    kind: p.integer(),
    message: p.text(),
    /** The source and type if one of them is not a known one; otherwise null. */
    sourceType: p.text().strictNullable(),
  },
  indexes: [{ name: 'log_entry_kind_index', properties: ['recordId', 'kind', 'timestamp', 'id'] }],
});

/** Partitioned by day: the number of entries of a log in an hour by kind, which is the index in the array. */
export const LogHourRow = defineEntity({
  name: 'LogHourRow',
  tableName: 'log_hour',
  primaryKeys: ['recordId', 'hour'],
  properties: {
    recordId: p.bigint('number').primary().autoincrement(false),
    hour: p.datetime(3).primary(),
    counts: p.array<number>().columnType('integer[]'),
  },
});

/** Partitioned by day: the same for all logs of a project. A minute behind at most. */
export const LogProjectHourRow = defineEntity({
  name: 'LogProjectHourRow',
  tableName: 'log_project_hour',
  primaryKeys: ['projectId', 'hour'],
  properties: {
    projectId: p.bigint('number').primary().autoincrement(false),
    hour: p.datetime(3).primary(),
    counts: p.array<number>().columnType('integer[]'),
  },
});

/** What a batch has stored, until it is added to `log_project_hour`. */
export const LogProjectDeltaRow = defineEntity({
  name: 'LogProjectDeltaRow',
  tableName: 'log_project_delta',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    projectId: p.bigint('number'),
    hour: p.datetime(3),
    counts: p.array<number>().columnType('integer[]'),
  },
});
