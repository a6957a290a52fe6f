import type { JobRunStore, LineWriter } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { claimJob } from './claim-job.ts';
import { settleJob } from './settle-job.ts';

const COUNTS = columns((row) => ({
  queued: row.number(`count(*) filter (where j.state = 'queued')`),
  running: row.number(`count(*) filter (where j.state = 'running')`),
  oldestDueMs: row.number(
    'coalesce(greatest(0, extract(epoch from statement_timestamp() - min(j.due_at)) * 1000), 0)',
  ),
}));

const BACKLOG: Statement = {
  name: 'job_backlog',
  text: `select ${COUNTS.sql} from job j where j.finished_at is null`,
};

interface Dependencies extends Pick<EncryptedDatabase, 'pool' | 'configurations'>, LineWriter {}

export function postgresJobRunStore(dependencies: Dependencies): JobRunStore {
  const { pool } = dependencies;
  return {
    claim: (claim) => claimJob(dependencies, claim),

    settle: (job, decide) => settleJob(dependencies, { job, decide }),

    backlog: async () => {
      const [row = []] = await run(pool, BACKLOG, []);
      return COUNTS.read(row);
    },
  };
}
