import { ApiKeyProjectRow } from '../access/api-key-project.row.ts';
import { ApiKeyRow } from '../access/api-key.row.ts';
import { ActivityRow } from '../activity/activity.row.ts';
import { ConfigFamilyRow } from '../record/config-family.row.ts';
import { ConfigRecordRow } from '../record/config-record.row.ts';
import { JobQueueRow } from '../job/job-queue.row.ts';
import { JobRow } from '../job/job.row.ts';
import { PluginRow } from '../plugin/plugin.row.ts';
import { ProjectRow } from '../project/project.row.ts';

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
