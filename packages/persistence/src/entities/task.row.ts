import { defineEntity, p } from '@mikro-orm/core';
import type { TaskKind } from '@plugin-config/domain';

/**
 * Background work. A task is due if it has neither `dueAt` nor a lease, so that no clock can delay it. A worker takes both away
 * once the time has come.
 */
export const TaskRow = defineEntity({
  name: 'TaskRow',
  tableName: 'task',
  properties: {
    /** In the order of the tasks. */
    id: p.bigint('number').primary().generated('by default as identity'),
    kind: p.text().$type<TaskKind>(),
    projectId: p.bigint('number'),
    accountId: p.bigint('number').strictNullable(),
    key: p.bigint('number'),
    payload: p.text().strictNullable(),
    /** Who may claim it over HTTP (`laneText`); null if workers do. */
    lane: p.text().collation('C').strictNullable(),
    /** When it is due again; `infinity` while it is held. */
    dueAt: p.datetime(6).strictNullable(),
    /** While it is running, when others may assume that its worker is dead. */
    leaseUntil: p.datetime(6).strictNullable(),
    attempts: p.integer().default(0),
  },
  indexes: [
    {
      name: 'task_due_index',
      properties: ['kind', 'projectId', 'key', 'id'],
      where: 'due_at is null and lease_until is null',
    },
    {
      name: 'task_lane_index',
      properties: ['lane', 'projectId', 'id'],
      where: 'lane is not null and due_at is null and lease_until is null',
    },
    {
      name: 'task_project_lane_index',
      properties: ['projectId', 'lane', 'id'],
      where: 'lane is not null and due_at is null and lease_until is null',
    },
    { name: 'task_waiting_index', properties: ['kind', 'dueAt'], where: 'due_at is not null' },
    { name: 'task_project_index', properties: ['projectId', 'kind', 'key', 'id'] },
  ],
  uniques: [{ name: 'task_running_key', properties: ['kind', 'key'], where: 'lease_until is not null' }],
  checks: [{ name: 'task_state_check', expression: 'due_at is null or lease_until is null' }],
});
