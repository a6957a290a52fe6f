import type {
  AccessProbe,
  ActivityLog,
  ApiKeyStore,
  ConfigRecordStore,
  FamilyFeed,
  JobStore,
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
  readonly records: ConfigRecordStore;
  readonly feed: FamilyFeed;
  readonly activity: ActivityLog;
  readonly jobs: JobStore;
  readonly secrets: SecretStore;
}
