import { defineEntity, p } from '@mikro-orm/core';
import {
  RUNTIME_STATUSES,
  type FailedRecordOfProject,
  type Family,
  type ReportedState,
  type RuntimeStatus,
} from '@plugin-config/domain';
import { listed } from './families-in-sql.ts';

/** The last report of a runtime of several projects. */
export const RuntimeHostRow = defineEntity({
  name: 'RuntimeHostRow',
  tableName: 'runtime_host',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    accountId: p.bigint('number'),
    family: p.text().$type<Family>(),
    instance: p.text(),
    /** The projects of its key; empty for all. */
    projectIds: p.array<number>().columnType('bigint[]'),
    /** The plugins that its key is limited to; empty for all. Such keys do not replace the reports of others. */
    pluginIds: p.array<number>().columnType('integer[]').defaultRaw(`'{}'`),
    /** It serves the projects whose id, divided by `shardOf`, leaves `shardIndex`. */
    shardIndex: p.integer(),
    shardOf: p.integer(),
    /** The snapshot and the registry version up to which it has read the feed; null if unknown. */
    snapshot: p.text().strictNullable(),
    registryVersion: p.bigint('number').strictNullable(),
    status: p.text().$type<RuntimeStatus>(),
    error: p.text().strictNullable(),
    /** JSON as text: its length is known without reading it. */
    failed: p.json<readonly FailedRecordOfProject[]>().columnType('text'),
    failedIds: p.array<number>().columnType('bigint[]'),
    labels: p.json<Readonly<Record<string, string>>>().columnType('text'),
    /** Not compressed, so that one plugin is found at once. */
    plugins: p.json<ReportedState['plugins']>().columnType('jsonb').strictNullable(),
    /** When it first reported its position in the feed. */
    versionSince: p.datetime(3),
    firstSeenAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
  },
  uniques: [{ name: 'runtime_host_name_key', properties: ['accountId', 'family', 'instance', 'pluginIds'] }],
  checks: [{ name: 'runtime_host_status_check', expression: `status in (${listed(RUNTIME_STATUSES)})` }],
});
