import { fulfilled } from '@plugin-config/flow';
import { grantsProject, type KeyGrant } from '../access/api-key.ts';
import { readValues, withDefaults } from '../configuration/configuration.ts';
import { invalidInput, notFound } from '../kernel/domain-error.ts';
import { checkJson, type Json, type JsonObject } from '../kernel/json.ts';
import type { ConfigurationValues } from '../record/configured-record.ts';
import { boundError } from '../runtime/runtime-instance.ts';
import { CHECK, JOB_LIMITS, type Family } from '../vocabulary/vocabulary.ts';
import { decideOverdue, decideResult, leaseLost, type JobResult } from './plugin-job.ts';
import type {
  JobClaim,
  LaneFilter,
  OpenLane,
  PluginJobStore,
  Renewal,
  Renewed,
  TakenJob,
} from './plugin-job-store.ts';

export function takesFrom({ family, key, plugins, types }: LaneFilter, lane: OpenLane): boolean {
  return (
    lane.family === family &&
    (plugins.length === 0 || plugins.includes(lane.plugin)) &&
    (types.length === 0 || types.includes(lane.type)) &&
    grantsProject(key, lane.projectId)
  );
}

/** A job as its runtime gets it. */
export interface ClaimedJob extends Omit<TakenJob, 'work'> {
  readonly payload: Json;
  readonly operation: string | null;
  /** The configuration with the values of secrets. */
  readonly config: JsonObject;
  /** Null for a check, whose configuration is not stored. */
  readonly configVersion: number | null;
}

interface Claiming {
  readonly pluginJobs: Pick<PluginJobStore, 'claim'>;
  readonly configurationValues: ConfigurationValues;
}

/**
 * Takes jobs for a runtime, with the current configurations of their records. One that cannot be read is left: it ends with its lease, and
 * the runtime gets the others.
 */
export async function claimJobs(
  { pluginJobs, configurationValues }: Claiming,
  claim: JobClaim,
): Promise<readonly ClaimedJob[]> {
  const taken = await pluginJobs.claim(claim);
  const claimed = await fulfilled(
    taken.map(async ({ work, ...rest }): Promise<ClaimedJob | null> => {
      if ('config' in work) {
        return { ...rest, payload: null, operation: null, config: work.config, configVersion: null };
      }
      const stored = await configurationValues.of(rest.job.record);
      // The record may have another plugin by now, whose secrets are not for this runtime. The job ends with its lease.
      if (stored === null || stored.record.plugin !== rest.job.plugin) return null;
      const config = Object.fromEntries(withDefaults(readValues(stored.values), stored.defaults));
      return { ...rest, ...work, config, configVersion: stored.record.configVersion };
    }),
  );
  return claimed.filter((one) => one !== null);
}

interface Command {
  readonly family: Family;
  readonly id: string;
  readonly key: Pick<KeyGrant, 'projectIds' | 'pluginIds'>;
}

interface Dependencies {
  readonly pluginJobs: PluginJobStore;
}

/** @throws DomainError `lease_lost` if the runtime does not have the job any more */
export async function renewJob(
  { pluginJobs }: Dependencies,
  { family, id, key }: Command,
  renewal: Renewal,
): Promise<Renewed> {
  const job = await pluginJobs.find(family, id, key);
  if (job === null) throw notFound();
  const renewed = await pluginJobs.renew(job, renewal);
  if (renewed === null) throw leaseLost();
  return renewed;
}

/** Stores the result of a job. The same result again has no effect. */
export async function endPluginJob(
  { pluginJobs }: Dependencies,
  { family, id, key }: Command,
  sent: JobResult,
): Promise<void> {
  checkJson(sent.output, 'output', JOB_LIMITS.bytes);
  const job = await pluginJobs.find(family, id, key);
  if (job === null) throw notFound();
  const result = { ...sent, error: sent.error === null ? null : boundError(sent.error) };
  await pluginJobs.settle(job, Infinity, (locked) => {
    if (locked.job.type === CHECK && result.state === 'succeeded') checkOutcomeOf(result.output);
    return decideResult(locked, result);
  });
}

/**
 * Ends a chunk of what runtimes have not ended. Resolves to the number of jobs that it looked at. Fails only after it has tried each, if one
 * cannot be ended.
 */
export async function endOverdueJobs({ pluginJobs }: Dependencies, unclaimedMs: number): Promise<number> {
  const overdue = await pluginJobs.overdue(unclaimedMs);
  const failures: unknown[] = [];
  for (const job of overdue) {
    await pluginJobs.settle(job, unclaimedMs, decideOverdue).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return overdue.length;
}

/** What a runtime found out about a configuration. */
export interface CheckOutcome {
  readonly ok: boolean;
  readonly errors: readonly { readonly attr: string | null; readonly detail: string }[];
  readonly details: Json;
}

/** @throws DomainError if a runtime has returned something else for a check */
export function checkOutcomeOf(output: Json): CheckOutcome {
  const { ok, errors = [], details = null } = (output ?? {}) as Readonly<Record<string, Json>>;
  if (typeof ok !== 'boolean') {
    throw invalidInput('output', 'A check returns an object with "ok", true or false.');
  }
  if (!Array.isArray(errors) || !errors.every(isError)) {
    throw invalidInput('output', 'The "errors" of a check are objects with "detail", and "attr" or none.');
  }
  return { ok, errors: errors.map(({ attr = null, detail }) => ({ attr, detail })), details };
}

function isError(error: Json): error is { readonly attr?: string | null; readonly detail: string } {
  const { attr = null, detail } = (error ?? {}) as Readonly<Record<string, Json>>;
  return typeof detail === 'string' && (attr === null || typeof attr === 'string');
}
