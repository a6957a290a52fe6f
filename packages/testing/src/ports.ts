import type {
  AccessProbe,
  ActivityLog,
  AlertEvaluations,
  AlertPreviews,
  AlertStore,
  ApiKeyStore,
  AuditLog,
  ConfigRecordStore,
  ConfigurationValues,
  Eraser,
  ErasureStore,
  RevisionStore,
  FamilyChanges,
  IncidentStore,
  JobRunStore,
  JobStore,
  LogEntryStore,
  ManagedRecords,
  JsonSchemas,
  PluginJobStore,
  PluginStore,
  PluginUpgradeStore,
  PluginVersionStore,
  ProjectFeed,
  ProjectStore,
  Retention,
  RuntimeStore,
  TaskQueue,
  TrustStore,
  UserStore,
  DispatchStore,
  WebhookEvents,
  DispatchRunStore,
  WebhookStore,
} from '@plugin-config/domain';

/** All ports of configurations and jobs, on one store. */
export interface Ports {
  readonly probe: AccessProbe;
  readonly keys: ApiKeyStore;
  readonly trusts: TrustStore;
  readonly users: UserStore;
  readonly projects: ProjectStore;
  readonly erasures: ErasureStore;
  readonly eraser: Eraser;
  readonly plugins: PluginStore;
  readonly pluginVersions: PluginVersionStore;
  readonly upgrades: PluginUpgradeStore;
  readonly audit: AuditLog;
  readonly records: ConfigRecordStore;
  readonly changes: FamilyChanges;
  readonly activity: ActivityLog;
  readonly revisions: RevisionStore;
  readonly jobs: JobStore;
  readonly pluginJobs: PluginJobStore;
  readonly jsonSchemas: JsonSchemas;
  readonly configurationValues: ConfigurationValues;
  readonly managed: ManagedRecords;
  readonly jobRuns: JobRunStore;
  readonly logs: LogEntryStore;
  readonly runtimes: RuntimeStore;
  readonly feed: ProjectFeed;
  readonly alerts: AlertStore;
  readonly incidents: IncidentStore;
  readonly evaluations: AlertEvaluations;
  readonly alertPreviews: AlertPreviews;
  readonly webhooks: WebhookStore;
  readonly dispatches: DispatchStore;
  readonly dispatchRuns: DispatchRunStore;
  readonly webhookEvents: WebhookEvents;
  readonly tasks: TaskQueue;
  readonly retention: Retention;
  /** Ages everything in the store. */
  readonly passTime: (milliseconds: number) => Promise<void>;
}
