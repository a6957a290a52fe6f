import type { Family } from '@plugin-config/domain';
import type { Guard } from '@plugin-config/service';
import type { FastifyInstance } from 'fastify';
import { activity, type ActivityReading } from '../activity/activity.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { postJob, retrieveJob, type JobQueueing } from '../job/jobs.ts';
import { ASKING } from '../requests/asking.ts';
import { configure, create, remove, update, type RecordChanging } from './change-records.ts';
import { frontend } from './frontend.ts';
import { listRecords } from './list-records.ts';
import { rearrange } from './rearrange.ts';
import { retrieveRecord } from './retrieve-record.ts';

interface Dependencies extends RecordChanging, ActivityReading, JobQueueing {
  readonly guard: Guard;
  readonly answers: AnswerCache;
}

/** Both families are the same but for their name. */
export function configRecordRoutes(app: FastifyInstance, dependencies: Dependencies, family: Family): void {
  const { guard } = dependencies;
  const list = `/api/projects/:project_id/${family}`;
  const one = `${list}/:id`;
  const reading = { onRequest: guard({ scope: 'plugin:read', family }) };
  const writing = { onRequest: guard({ scope: 'plugin:write', family }) };
  const readingOne = { onRequest: guard({ scope: 'plugin:read', family, record: true }) };
  const writingOne = { onRequest: guard({ scope: 'plugin:write', family, record: true }) };

  app.route({ method: ASKING, url: list, ...reading, handler: listRecords(dependencies, family) });
  app.post(list, writing, create(dependencies, family));
  app.patch(`${list}/rearrange`, writing, rearrange(dependencies, family));
  app.route({ method: ASKING, url: one, ...reading, handler: retrieveRecord(dependencies, family) });
  app.patch(one, writingOne, update(dependencies));
  app.delete(one, writingOne, remove(dependencies));
  app.put(`${one}/config`, writingOne, configure(dependencies));
  app.get(`${one}/activity`, readingOne, activity(dependencies));
  app.get(`${one}/frontend`, readingOne, frontend(dependencies));
  app.post(`${one}/job`, writingOne, postJob(dependencies));
  app.get(`${one}/jobs/:job_id`, readingOne, retrieveJob(dependencies));
}
