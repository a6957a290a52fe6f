import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { QUIET_MS, require, UNAVAILABLE, waitsAsTold, type Rule } from './rules.ts';
import { denial, leaseOf, renewed, type Claim, type Reply, type SeenJob } from './scripted-service.ts';
import type { Trial } from './trial.ts';
import { claimed, jobId, KEY, LEASE_SECONDS, NO_JOBS, type Echo } from './wire.ts';

/** Longer than any check. */
const ENDLESS: Partial<Echo> = { seconds: 3600 };
const RENEWALS = 2;

const LEASE_LOST = denial(409, 'lease_lost');
const LOST: Reply = { status: 204, cut: 'before' };

/** The rules of a runtime that takes jobs. What it does is told by their payloads. */
export const JOB_RULES: readonly Rule[] = [
  {
    name: 'job',
    title: 'Takes a job with a claim that waits, and sends its result.',
    check: async (trial) => {
      await trial.begin('version-1');
      const { claim, payload } = await give(trial, 1);
      require(claim.authorization === `Bearer ${KEY}`, 'It did not send the key as a bearer token.');
      require(isWithin(claim.body['wait'], 1, 50), 'It claimed without wait: 1 … 50.');
      require(isWithin(leaseOf(claim), 10, 600), 'It did not ask for a lease of 10 … 600 seconds.');
      const { body } = await nextResult(trial, 1);
      requireState(body, 'succeeded');
      require(isDeepStrictEqual(body['output'], payload), 'The output is not the payload.');
      const isSame = body['instance'] === claim.body['instance'];
      require(isSame, 'It did not send the result with the instance of the claim.');
      await trial.nextClaim();
    },
  },
  {
    name: 'job-failed',
    title: 'Sends `failed` when a handler fails, and takes the next job.',
    needs: 'job',
    check: async (trial) => {
      await trial.begin('version-1');
      await give(trial, 1, { fail: true });
      requireState((await nextResult(trial, 1)).body, 'failed');
      await give(trial, 2);
      requireState((await nextResult(trial, 2)).body, 'succeeded');
    },
  },
  {
    name: 'claim-again',
    title: 'Claims again after Retry-After, and after lost responses.',
    needs: 'job',
    check: async (trial) => {
      await trial.begin('version-1');
      let claim = await trial.nextClaim();
      const answer = async (reply: Reply): Promise<Claim> => {
        // The threads of a runtime may claim at the same time.
        for (const one of [claim, ...trial.service.claims.splice(0)]) one.respond(reply);
        claim = await trial.nextClaim();
        return claim;
      };
      await waitsAsTold('claimed', answer);
      for (const cut of ['before', 'halfway'] as const) await answer({ ...NO_JOBS, cut });
      await answer(NO_JOBS);
      claim.respond(claimed(claim, 1, payloadOf(1)));
      await nextResult(trial, 1);
    },
  },
  {
    name: 'result-again',
    title: 'Sends a result again until it is acknowledged.',
    needs: 'job',
    check: async (trial) => {
      await trial.begin('version-1');
      const { resultReplies, results } = trial.service;
      resultReplies.push(LOST, UNAVAILABLE, LOST);
      await give(trial, 1);
      for (let count = 1; count <= 4; count++)
        await trial.until(() => results.length >= count, `It did not send the result ${count} times`);
      await give(trial, 2);
      await nextResult(trial, 2);
      const [first, ...others] = resultsOf(trial, 1);
      require(others.length === 3, 'It sent the result again after a 204.');
      require(others.every(({ body }) => isDeepStrictEqual(body, first?.body)), 'It sent another result.');
    },
  },
  {
    name: 'result-lost',
    title: 'Drops a result after a 409, and takes the next job.',
    needs: 'job',
    check: async (trial) => {
      await trial.begin('version-1');
      trial.service.resultReplies.push(LEASE_LOST);
      await give(trial, 1);
      await nextResult(trial, 1);
      await give(trial, 2);
      await nextResult(trial, 2);
      await sleep(QUIET_MS);
      require(resultsOf(trial, 1).length === 1, 'It sent the result again.');
    },
  },
  {
    name: 'job-renewed',
    title: 'Renews the lease of a long job before it ends.',
    needs: 'job',
    check: async (trial) => {
      await trial.begin('version-1');
      const { claim } = await give(trial, 1, ENDLESS);
      let leaseSeconds = leaseOf(claim);
      for (let count = 1; count <= RENEWALS; count++) {
        const renewal = await nextRenewal(trial, count, leaseSeconds);
        require(renewal.id === jobId(1), 'It renewed another job.');
        const isSame = renewal.body['instance'] === claim.body['instance'];
        require(isSame, 'It did not renew with the instance of the claim.');
        leaseSeconds = leaseOf(renewal);
      }
    },
  },
  {
    name: 'job-cancelled',
    title: 'Stops a job that was cancelled, and sends `failed`.',
    needs: 'job-renewed',
    check: async (trial) => {
      await trial.begin('version-1');
      trial.service.renewalReplies.push(renewed(LEASE_SECONDS, true));
      const { claim } = await give(trial, 1, ENDLESS);
      await nextRenewal(trial, 1, leaseOf(claim));
      requireState((await nextResult(trial, 1)).body, 'failed');
    },
  },
  {
    name: 'job-lost',
    title: 'Stops a job whose renewal is a 409, and drops it.',
    needs: 'job-renewed',
    check: async (trial) => {
      await trial.begin('version-1');
      trial.service.renewalReplies.push(LEASE_LOST);
      const { claim } = await give(trial, 1, ENDLESS);
      await nextRenewal(trial, 1, leaseOf(claim));
      await give(trial, 2);
      await nextResult(trial, 2);
      await sleep((leaseOf(claim) * 1000) / 2);
      require(trial.service.renewals.every(
        ({ id }, index) => index === 0 || id !== jobId(1),
      ), 'It renewed the lease again.');
      require(resultsOf(trial, 1).length === 0, 'It sent a result.');
    },
  },
];

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

function payloadOf(number: number, echo: Partial<Echo> = {}): Echo {
  return { seconds: 0, fail: false, text: `text ${number}`, ...echo };
}

/** Waits for a claim, and responds with a job. */
async function give(trial: Trial, number: number, echo?: Partial<Echo>) {
  const claim = await trial.nextClaim();
  const payload = payloadOf(number, echo);
  claim.respond(claimed(claim, number, payload));
  return { claim, payload };
}

function resultsOf({ service }: Trial, number: number): readonly SeenJob[] {
  return service.results.filter(({ id }) => id === jobId(number));
}

async function nextResult(trial: Trial, number: number): Promise<SeenJob> {
  await trial.until(() => resultsOf(trial, number).length > 0, `It did not send the result of job ${number}`);
  return resultsOf(trial, number)[0] as SeenJob;
}

async function nextRenewal({ service, until }: Trial, count: number, leaseSeconds: number): Promise<SeenJob> {
  const { renewals } = service;
  await until(() => renewals.length >= count, 'It did not renew the lease', leaseSeconds * 1000);
  return renewals[count - 1] as SeenJob;
}

function requireState({ state }: SeenJob['body'], expected: string): void {
  require(state === expected, `It sent a result with the state ${String(state)} instead of ${expected}.`);
}
