// Every table except the one in which `migrate` stores its steps.

export { AlertRow, AlertStateRow, IncidentRow } from './alert.row.ts';
export { ApiKeyProjectRow, ApiKeyRow } from './api-key.row.ts';
export { AuditRow } from './audit.row.ts';
export { ActivityRow, ConfigRecordRow, ManagedRecordRow, RevisionRow } from './config-record.row.ts';
export { DeadLetterRow } from './dead-letter.row.ts';
export {
  DeliveryDueRow,
  DeliveryReportRow,
  DeliverySumRow,
  ErrorReportRow,
  FailedDeliveryRow,
} from './delivery.row.ts';
export { ExchangedTokenRow } from './exchanged-token.row.ts';
export { ErasureRow } from './erasure.row.ts';
export { JobRow } from './job.row.ts';
export { KeptResponseRow } from './kept-response.row.ts';
export {
  LogDayRow,
  LogEntryRow,
  LogFollowerRow,
  LogFollowRow,
  LogHourRow,
  LogProjectDeltaRow,
  LogProjectHourRow,
  LogSequenceRow,
  LogUsageRow,
} from './log.row.ts';
export { PluginRegistryRow, PluginRow, PluginUpgradeRow, PluginVersionRow } from './plugin.row.ts';
export { ConfigFamilyRow, ProjectKeyRow, ProjectRow } from './project.row.ts';
export { RuntimeHostRow } from './runtime-host.row.ts';
export { RuntimeInstanceRow } from './runtime-instance.row.ts';
export { TaskRow } from './task.row.ts';
export { TimelineRow } from './timeline.row.ts';
export { WebhookDispatchRow, WebhookRow } from './webhook.row.ts';
