import type { Ports } from '../ports.ts';
import { memoryAccessProbe } from './memory-access-probe.ts';
import { memoryActivityLog } from './memory-activity-log.ts';
import { memoryApiKeyStore } from './memory-api-key-store.ts';
import { memoryAuditLog } from './memory-audit-log.ts';
import { memoryConfigRecordStore } from './memory-config-record-store.ts';
import { memoryDatabase } from './memory-database.ts';
import { memoryEditionStore } from './memory-edition-store.ts';
import { memoryFamilyChanges } from './memory-family-changes.ts';
import { memoryJobStore } from './memory-job-store.ts';
import { memoryManagedRecords } from './memory-managed-records.ts';
import { memoryPluginStore } from './memory-plugin-store.ts';
import { memoryProjectStore } from './memory-project-store.ts';
import { memorySecretStore } from './memory-secret-store.ts';

/** In-memory ports of configurations. */
export function memoryPorts(db = memoryDatabase()): Ports {
  return {
    probe: memoryAccessProbe(db),
    keys: memoryApiKeyStore(db),
    projects: memoryProjectStore(db),
    plugins: memoryPluginStore(db),
    audit: memoryAuditLog(db),
    records: memoryConfigRecordStore(db),
    changes: memoryFamilyChanges(db),
    activity: memoryActivityLog(db),
    editions: memoryEditionStore(db),
    jobs: memoryJobStore(db),
    secrets: memorySecretStore(db),
    managed: memoryManagedRecords(db),
  };
}
