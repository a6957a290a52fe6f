import type {
  AccessProbe,
  ActivityLog,
  ApiKeyStore,
  AuditLog,
  ConfigRecordStore,
  EditionStore,
  FamilyChanges,
  JobStore,
  ManagedRecords,
  PluginStore,
  ProjectStore,
  SecretStore,
} from '@plugin-config/domain';

/** All ports of configurations, on one store. */
export interface Ports {
  readonly probe: AccessProbe;
  readonly keys: ApiKeyStore;
  readonly projects: ProjectStore;
  readonly plugins: PluginStore;
  readonly audit: AuditLog;
  readonly records: ConfigRecordStore;
  readonly changes: FamilyChanges;
  readonly activity: ActivityLog;
  readonly editions: EditionStore;
  readonly jobs: JobStore;
  readonly secrets: SecretStore;
  readonly managed: ManagedRecords;
}
