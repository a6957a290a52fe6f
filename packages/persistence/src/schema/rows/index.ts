import { ActivityRow } from './activity.row.ts';
import { ApiKeyProjectRow } from './api-key-project.row.ts';
import { ApiKeyRow } from './api-key.row.ts';
import { ConfigFamilyRow } from './config-family.row.ts';
import { ConfigRecordRow } from './config-record.row.ts';
import { DeadLetterRow } from './dead-letter.row.ts';
import { DeliveryClaimRow, DeliveryDueRow, DeliveryReportRow, DeliverySumRow } from './delivery.row.ts';
import { ErrorReportRow } from './error-report.row.ts';
import { JobQueueRow } from './job-queue.row.ts';
import { JobRow } from './job.row.ts';
import { KeptAnswerRow } from './kept-answer.row.ts';
import { LogBlockRow, LogDayRow, LogEntryRow, LogExportRow, LogKindRow } from './log.row.ts';
import { LineageRow } from './lineage.row.ts';
import { LogAnnouncementRow, LogArrivalRow, LogFollowerRow, LogFollowRow } from './log-follow.row.ts';
import { LogOutboxRow } from './log-outbox.row.ts';
import { MaskedHistoryRow } from './masked-history.row.ts';
import { PluginRegistryRow } from './plugin-registry.row.ts';
import { PluginRow } from './plugin.row.ts';
import { ProjectRow } from './project.row.ts';

/** Every table, but the one that `migrate` keeps its steps in. */
export const ROWS = [
  ProjectRow,
  ConfigFamilyRow,
  ApiKeyRow,
  ApiKeyProjectRow,
  PluginRow,
  PluginRegistryRow,
  ConfigRecordRow,
  ActivityRow,
  MaskedHistoryRow,
  JobQueueRow,
  JobRow,
  LogOutboxRow,
  KeptAnswerRow,
  LogDayRow,
  LogExportRow,
  LogKindRow,
  LogEntryRow,
  LogBlockRow,
  LogFollowRow,
  LogFollowerRow,
  LogAnnouncementRow,
  LogArrivalRow,
  ErrorReportRow,
  DeliveryReportRow,
  DeliveryClaimRow,
  DeliverySumRow,
  DeliveryDueRow,
  DeadLetterRow,
  LineageRow,
];
