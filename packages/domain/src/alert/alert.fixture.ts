import type { Alert } from './alert.ts';

const CREATED = new Date('2026-03-01T09:30:00Z');

export function anAlert(given: Partial<Alert> = {}): Alert {
  return {
    id: 5,
    projectId: 1,
    name: 'GeoIP delivers',
    family: 'plugin_configs',
    recordId: null,
    plugin: null,
    signal: 'delivery_rate',
    threshold: 0.95,
    windowMinutes: 15,
    minSamples: 100,
    required: { n: 2, m: 3 },
    action: 'notify',
    enabled: true,
    version: 1,
    createdAt: CREATED,
    updatedAt: CREATED,
    evaluatedAt: null,
    ...given,
  };
}
