import { ApiKeyProjectRow } from './api-key-project.row.ts';
import { ApiKeyRow } from './api-key.row.ts';
import { ActivityRow } from './activity.row.ts';
import { ConfigFamilyRow } from './config-family.row.ts';
import { ConfigRecordRow } from './config-record.row.ts';
import { JobQueueRow } from './job-queue.row.ts';
import { JobRow } from './job.row.ts';
import { PluginRow } from './plugin.row.ts';
import { ProjectRow } from './project.row.ts';

/** Every table that the metadata speaks of. */
export const rows = [
  ProjectRow,
  ConfigFamilyRow,
  ApiKeyRow,
  ApiKeyProjectRow,
  PluginRow,
  ConfigRecordRow,
  ActivityRow,
  JobQueueRow,
  JobRow,
];
