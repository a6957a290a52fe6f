// Every table except the one in which `migrate` stores its steps.

export { ActivityRow } from './activity.row.ts';
export { ApiKeyProjectRow } from './api-key-project.row.ts';
export { ApiKeyRow } from './api-key.row.ts';
export { AuditRow } from './audit.row.ts';
export { ConfigFamilyRow } from './config-family.row.ts';
export { ConfigRecordRow } from './config-record.row.ts';
export { DeadLetterRow } from './dead-letter.row.ts';
export { DeliveryDueRow, DeliveryMinuteRow, DeliveryReportRow, DeliverySumRow } from './delivery.row.ts';
export { RevisionRow } from './revision.row.ts';
export { ErasureRow } from './erasure.row.ts';
export { ErrorReportRow } from './error-report.row.ts';
export { JobQueueRow } from './job-queue.row.ts';
export { JobRow } from './job.row.ts';
export { KeptResponseRow } from './kept-response.row.ts';
export { LogDayRow, LogEntryRow, LogHourRow, LogProjectDeltaRow, LogProjectHourRow } from './log.row.ts';
export { TimelineRow } from './timeline.row.ts';
export { LogSequenceRow, LogFollowerRow, LogFollowRow } from './log-follow.row.ts';
export { LogUsageRow } from './log-usage.row.ts';
export { LogOutboxRow } from './log-outbox.row.ts';
export { ManagedRecordRow } from './managed-record.row.ts';
export { PluginRegistryRow } from './plugin-registry.row.ts';
export { PluginRow } from './plugin.row.ts';
export { ProjectKeyRow } from './project-key.row.ts';
export { ProjectRow } from './project.row.ts';
export { RuntimeInstanceRow } from './runtime-instance.row.ts';
