import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const ProjectRow = defineEntity({
  name: 'ProjectRow',
  tableName: 'project',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    name: p.text(),
    createdAt: p.datetime(3),
    /** Null if the settings decide. */
    logEntriesPerDay: p.bigint('number').strictNullable(),
    logBytesPerDay: p.bigint('number').strictNullable(),
  },
  checks: [
    { name: 'project_id_check', expression: 'id >= 1' },
    { name: 'project_name_check', expression: 'char_length(name) >= 1 and char_length(name) <= 200' },
  ],
});

export type ProjectRow = InferEntity<typeof ProjectRow>;
