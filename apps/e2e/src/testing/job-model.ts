import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './feed-model.ts';
import type { RunningService } from './running-service.ts';

const JOBS = '/api/runtime/plugin_configs/jobs';
/** The shortest that a runtime can ask for. */
const LEASE_S = 10;
const RETRY_MS = 50;
const ENDINGS = new Set(['job_succeeded', 'job_failed', 'job_cancelled']);

interface Sent {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request to one of the addresses. Resolves to null if the response is lost, or is none. */
type Send = (method: string, path: string, body?: unknown) => Promise<Sent | null>;

export function senderTo(origins: () => readonly string[], token: string, chance: Chance): Send {
  return async (method, path, body) => {
    const all = origins();
    try {
      const response = await fetch((all[chance(all.length)] ?? '') + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const isAnswer = response.status < 500 && response.status !== 429;
      return isAnswer ? { status: response.status, body: JSON.parse(text || 'null') } : null;
    } catch {
      return null;
    }
  };
}

/** Repeats a request until there is a response. */
const persistent =
  (send: Send): ((...request: Parameters<Send>) => Promise<Sent>) =>
  async (...request) => {
    for (;;) {
      const sent = await send(...request);
      if (sent !== null) return sent;
      await sleep(RETRY_MS);
    }
  };

interface ClaimedJob {
  readonly id: string;
  readonly record_id: number;
  readonly lease_expires_at: string;
}

/** A claim whose response has arrived. Times are those of this machine, which is that of the service, too. */
interface Hold {
  readonly job: string;
  readonly instance: string;
  readonly record: number;
  readonly askedAt: number;
  readonly heldFrom: number;
  /** The end of the lease, or when the runtime began to send a result. */
  heldUntil: number;
  isEnding: boolean;
}

interface Acknowledged {
  readonly job: string;
  readonly state: 'succeeded' | 'failed';
  readonly output: string;
}

/** A record that was deleted and restored, which takes its jobs away from their runtimes. */
interface Deletion {
  readonly record: number;
  readonly from: number;
  readonly to: number;
}

/** What runtimes and callers saw. */
export interface Observations {
  readonly holds: Hold[];
  /** The results that were stored, except for those that ask for another attempt. */
  readonly results: Acknowledged[];
  readonly cancelled: Set<string>;
  readonly deletions: Deletion[];
  /** The counts of responses to results, by status. */
  readonly statuses: Map<number, number>;
}

export const noObservations = (): Observations => ({
  holds: [],
  results: [],
  cancelled: new Set(),
  deletions: [],
  statuses: new Map(),
});

interface Conduct {
  readonly chance: Chance;
  /** Whether runtimes die, sleep and retry. Otherwise they end what they take, at once or after a renewal. */
  readonly isWild: () => boolean;
  /** Whether leases may run out, which takes ten seconds. */
  readonly losesLeases: boolean;
}

/** Takes jobs until stopped. It dies with jobs, renews, fails, and answers twice or too late. */
export function modelRuntime(instance: string, send: Send, seen: Observations, conduct: Conduct) {
  const { chance, isWild, losesLeases } = conduct;
  const insist = persistent(send);
  const stopping = new AbortController();
  const late = new Set<Promise<void>>();
  /** The jobs of the results on their way. */
  const sending: string[] = [];

  const end = async (hold: Hold, fields: object, isFinal: boolean): Promise<void> => {
    const output = crypto.randomUUID();
    const state = 'error' in fields ? 'failed' : 'succeeded';
    const result = { instance, state, output, ...fields };
    // Its result counts even if it has taken the job again, or takes it while the result is on its way.
    for (const one of seen.holds.filter(({ job, instance: by }) => job === hold.job && by === instance)) {
      one.heldUntil = Math.min(one.heldUntil, Date.now());
      one.isEnding = true;
    }
    sending.push(hold.job);
    const times = isWild() && chance(4) === 0 ? 2 : 1;
    const sent = await Promise.all(
      Array.from({ length: times }, () => insist('PUT', `${JOBS}/${hold.job}/result`, result)),
    );
    sending.splice(sending.indexOf(hold.job), 1);
    for (const { status } of sent) seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    if (isFinal && sent.some(({ status }) => status === 204))
      seen.results.push({ job: hold.job, state, output });
  };

  const renew = async (hold: Hold): Promise<void> => {
    const renewal = { instance, lease_seconds: LEASE_S, progress: chance(100) / 100, message: 'Going on' };
    const sent = await insist('PATCH', `${JOBS}/${hold.job}`, renewal);
    if (sent.status !== 200 || hold.isEnding) return;
    const { lease_expires_at } = sent.body as ClaimedJob;
    hold.heldUntil = Math.max(hold.heldUntil, Date.parse(lease_expires_at));
  };

  const work = async (hold: Hold): Promise<void> => {
    if (chance(3) === 0) await renew(hold);
    if (!isWild()) return end(hold, {}, true);
    await sleep(chance(60));
    const kind = chance(20);
    if (kind < 3) return end(hold, { error: 'Away.', retry: true }, false);
    if (kind < 5) return end(hold, { error: 'Broken.' }, true);
    if (kind > 6 || !losesLeases) return end(hold, {}, true);
    // It has died, or is so slow that its lease may be over.
    if (kind === 6) late.add(sleep(LEASE_S * 1000 + chance(4_000)).then(async () => end(hold, {}, true)));
  };

  const run = (async () => {
    while (!stopping.signal.aborted) {
      const askedAt = Date.now();
      const claim = { instance, limit: 1 + chance(3), lease_seconds: LEASE_S, wait: chance(2) };
      const sent = await send('POST', `${JOBS}/claim`, claim);
      const isLost = isWild() && losesLeases && chance(40) === 0;
      if (sent === null || isLost) {
        await sleep(RETRY_MS);
        continue;
      }
      const { jobs } = sent.body as { readonly jobs: readonly ClaimedJob[] };
      const holds = jobs.map(({ id, record_id: record, lease_expires_at }) => {
        const heldFrom = Date.now();
        const isEnding = sending.includes(id);
        const heldUntil = isEnding ? heldFrom : Date.parse(lease_expires_at);
        return { job: id, instance, record, askedAt, heldFrom, heldUntil, isEnding };
      });
      seen.holds.push(...holds);
      await Promise.all(holds.map(work));
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([run, ...late]);
    },
  };
}

interface Place {
  readonly project: number;
  readonly record: number;
}

/** Queues jobs for records in rotation. Cancels some, and deletes and restores some records. */
export async function queueJobs(
  send: Send,
  places: readonly Place[],
  { seen, chance, rounds, pauseMs }: { seen: Observations; chance: Chance; rounds: number; pauseMs: number },
): Promise<void> {
  const insist = persistent(send);
  for (let n = 0; n < rounds; n++) {
    for (const { project, record } of places) {
      const path = `/api/projects/${project}/plugin_configs/${record}`;
      await insist('POST', `${path}/job`, { job: { type: 'replay', payload: { n } } });
      await sleep(pauseMs);
      if (chance(25) === 0) {
        const from = Date.now();
        for (const deleted of [true, false]) await insist('PATCH', path, { deleted });
        seen.deletions.push({ record, from, to: Date.now() });
      }
      if (chance(12) > 0) continue;
      const { body } = await insist('GET', `${path}/jobs?limit=5`);
      const { results } = body as { readonly results: readonly { readonly id: string }[] };
      const id = results[chance(results.length)]?.id ?? '';
      const { status } = await insist('DELETE', `${path}/jobs/${id}`);
      if (status === 204) seen.cancelled.add(id);
    }
  }
}

interface StoredJob {
  readonly id: string;
  readonly record: number;
  readonly state: string;
  readonly is_ended: boolean;
}

/** The jobs of these records, in the order in which they were queued. */
export const storedJobs = ({ rows }: RunningService, places: readonly Place[]) =>
  rows<StoredJob>(
    `select id, record_id::integer as record, state, finished_at is not null as is_ended
     from job where record_id = any ($1) order by task_id`,
    [places.map(({ record }) => record)],
  );

/** Returns what contradicts the promises of the service, once all jobs have ended. */
export async function contradictions(
  service: RunningService,
  send: Send,
  places: readonly Place[],
  { holds, results, cancelled, deletions }: Observations,
): Promise<readonly string[]> {
  const found: string[] = [];
  const insist = persistent(send);
  const jobs = await storedJobs(service, places);
  const stored = new Map(jobs.map((job) => [job.id, job]));
  const outcomes = Map.groupBy(results, ({ job }) => job);
  const projectOf = new Map(places.map(({ project, record }) => [record, project]));

  for (const { id, state, is_ended } of jobs) if (!is_ended) found.push(`${id} is ${state}`);
  for (const id of cancelled) {
    if (stored.get(id)?.state !== 'cancelled')
      found.push(`${id} was cancelled, but ${stored.get(id)?.state}`);
  }
  for (const [id, acknowledged] of outcomes) {
    const { record = 0 } = stored.get(id) ?? {};
    const path = `/api/projects/${projectOf.get(record)}/plugin_configs/${record}/jobs/${id}`;
    const shown = (await insist('GET', path)).body as { readonly state: string; readonly output: unknown };
    for (const { state, output } of acknowledged) {
      const isState = shown.state === state || (state === 'failed' && shown.state === 'cancelled');
      if (!isState || shown.output !== output) {
        found.push(`${id} ${state} with ${output}, but shows ${shown.state} with ${String(shown.output)}`);
      }
    }
  }
  for (const [record, held] of Map.groupBy(holds, (hold) => hold.record)) {
    const wasDeleted = (a: Hold, b: Hold): boolean =>
      deletions.some((one) => one.record === record && one.to >= a.askedAt && one.from <= b.heldFrom);
    for (const a of held) {
      const other = held.find(
        (b) => b !== a && b.askedAt >= a.heldFrom && b.heldFrom < a.heldUntil && !wasDeleted(a, b),
      );
      if (other !== undefined) found.push(`record ${record} ran at a time: ${JSON.stringify([a, other])}`);
    }
    const firsts = jobs
      .filter((job) => job.record === record)
      .flatMap(({ id }) => held.find(({ job }) => job === id) ?? []);
    firsts.slice(1).forEach((hold, n) => {
      const before = firsts[n];
      if (before !== undefined && before.askedAt > hold.heldFrom)
        found.push(`record ${record} ran ${hold.job} before ${before.job}`);
    });
  }
  const entries = await service.rows<{ readonly record: number; readonly activity: string }>(
    `select record_id::integer as record, activity from activity where record_id = any ($1)`,
    [places.map(({ record }) => record)],
  );
  for (const { record } of places) {
    const own = entries.filter((entry) => entry.record === record).map(({ activity }) => activity);
    const count = jobs.filter((job) => job.record === record).length;
    const ends = own.filter((activity) => ENDINGS.has(activity)).length;
    const queued = own.filter((activity) => activity === 'job_queued').length;
    if (ends !== count || queued !== count)
      found.push(`record ${record} has ${count} jobs, ${queued} entries of queueing and ${ends} of ends`);
  }
  const left = await service.rows(`select payload from task where kind = 'plugin_job' and key = any ($1)`, [
    places.map(({ record }) => record),
  ]);
  if (left.length > 0) found.push(`${left.length} tasks are left`);
  return found;
}
