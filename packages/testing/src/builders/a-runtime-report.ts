import type { RuntimeReport } from '@plugin-config/domain';

export function aRuntimeReport(report: Partial<RuntimeReport> = {}): RuntimeReport {
  return { version: '1', status: 'applied', error: null, failed: [], labels: {}, plugins: null, ...report };
}
