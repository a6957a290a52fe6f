import { defineEntity, p } from '@mikro-orm/core';
import {
  RUNTIME_STATUSES,
  type FailedRecord,
  type Family,
  type ReportedState,
  type RuntimeStatus,
} from '@plugin-config/domain';
import { listed } from './families-in-sql.ts';

/** The last report of a runtime. */
export const RuntimeInstanceRow = defineEntity({
  name: 'RuntimeInstanceRow',
  tableName: 'runtime_instance',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    projectId: p.bigint('number'),
    family: p.text().$type<Family>(),
    instance: p.text(),
    /** The plugins that its key is limited to; empty for all. Such keys do not replace the reports of others. */
    pluginIds: p.array<number>().columnType('integer[]').defaultRaw(`'{}'`),
    version: p.text(),
    status: p.text().$type<RuntimeStatus>(),
    error: p.text().strictNullable(),
    /** JSON as text: its length is known without reading it. */
    failed: p.json<readonly FailedRecord[]>().columnType('text'),
    labels: p.json<Readonly<Record<string, string>>>().columnType('text'),
    /** Not compressed, so that one plugin is found at once. */
    plugins: p.json<ReportedState['plugins']>().columnType('jsonb').strictNullable(),
    /** The ids of the failed records. */
    failedIds: p.array<number>().columnType('bigint[]'),
    /** When the runtime first reported its version. */
    versionSince: p.datetime(3),
    firstSeenAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
  },
  // No index by time, since each report would have to update it.
  uniques: [
    { name: 'runtime_instance_name_key', properties: ['projectId', 'family', 'instance', 'pluginIds'] },
  ],
  checks: [{ name: 'runtime_instance_status_check', expression: `status in (${listed(RUNTIME_STATUSES)})` }],
});
