import type { JobRunStore } from '@plugin-config/domain';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';
import { beginJob } from './begin-job.ts';
import { settleJob } from './settle-job.ts';

export function postgresJobRunStore(database: Pick<EncryptedStore, 'pool' | 'configurations'>): JobRunStore {
  return {
    begin: (task) => beginJob(database, task),
    settle: (job, decide) => settleJob(database, { job, decide }),
  };
}
