import type { HostReport } from '@plugin-config/domain';
import { MOMENT } from './an-author.ts';

/** Returns the report of a host of all projects that has applied everything. */
export function aHostReport(given: Partial<HostReport> = {}): HostReport {
  return {
    family: 'plugin_configs',
    instance: 'host',
    key: { accountId: 1, projectIds: [], pluginIds: [] },
    shard: null,
    since: null,
    report: { status: 'applied', error: null, failed: [], labels: {}, plugins: null },
    at: MOMENT,
    ...given,
  };
}
