import { setTimeout as sleep } from 'node:timers/promises';
import { logSender, pluginConfigClient } from '@plugin-config/client';
import type { CheckOutcome, JobHandlers, RunningJob, RuntimeRecord } from '@plugin-config/client/runtime';

export interface JobTarget {
  readonly url: string;
  readonly workerUrl: string;
  readonly key: string;
}

const SENDING_MS = 50;

/** What the plugins of the sample do when they are asked to. */
export function sampleJobs({ url, workerUrl, key }: JobTarget): JobHandlers {
  const client = pluginConfigClient({ url, key });

  /** Sends what failed in a time again, and reports it as delivered. */
  const replay = async (job: RunningJob): Promise<{ readonly sent: number }> => {
    const { id, project_id, payload, signal, progress } = job;
    const record = Number(job.record_id);
    const { from, to } = payload as { readonly from: string; readonly to: string };
    const { pluginConfigs } = client.project(project_id);
    const failed = await Array.fromAsync(pluginConfigs.failedDeliveries(record, { from, to }, { signal }));
    const sender = logSender({ url: workerUrl, key });
    const log = sender.logger(record);
    for (const [sent, { ref }] of failed.entries()) {
      progress(sent / failed.length, `${sent} of ${failed.length} events`);
      await sleep(SENDING_MS, undefined, { signal });
      await log.info(`Sent ${ref} again`);
    }
    const counts = { successes: 0, successes_on_retry: failed.length, failures: 0 };
    // With the id of the job, another attempt does not count twice.
    await sender.send({ kind: 'delivery', id, plugin_config_id: record, ...counts });
    await sender.close({ signal });
    return { sent: failed.length };
  };

  return { replay, check };
}

function check({ config }: RunningJob): CheckOutcome {
  const errors = problemsOf(config);
  return { ok: errors.length === 0, errors };
}

interface Problem {
  readonly attr: string;
  readonly detail: string;
}

/** Returns why a plugin cannot run with a configuration. */
export function problemsOf(config: RuntimeRecord['config']): readonly Problem[] {
  const { dataset, key_file: account, endpoint } = config;
  const problems: Problem[] = [];
  if (dataset !== undefined && account === undefined) {
    const detail = `Cannot write to ${JSON.stringify(dataset)} without a service account: set "key_file"`;
    problems.push({ attr: 'key_file', detail });
  }
  if (typeof endpoint === 'string' && !URL.canParse(endpoint)) {
    problems.push({ attr: 'endpoint', detail: 'This is no address, such as https://example.com/events' });
  }
  return problems;
}
