import cluster from 'node:cluster';
import { logLevelSetting } from '../env/log-level-setting.ts';
import { processesSetting } from '../env/processes-setting.ts';
import { readSettings } from '../env/settings.ts';
import { stopSignal } from '../lifecycle/stop-signal.ts';
import { openLog } from '../observability/open-log.ts';
import { GROUP_POLICY, type GroupPolicy } from './group-policy.ts';
import { joinGroup, withoutLeader, type Group } from './group.ts';
import { leadGroup } from './lead-group.ts';

interface App {
  readonly service: string;
  /** The environment variable with the number of processes. */
  readonly variable: string;
  /** Serves until the group says so. Loads its code itself, since the leader of a group does without it. */
  serve(group: Group): Promise<void>;
  readonly policy?: GroupPolicy;
}

/**
 * Runs an app in as many processes as its setting says. If there is one, it is this process. If there are more, this
 * process is their leader, which starts and watches them. Resolves to the exit code.
 */
export async function runProcesses({
  service,
  variable,
  serve,
  policy = GROUP_POLICY,
}: App): Promise<number> {
  const size = readSettings({ [variable]: processesSetting() }, process.env)[variable] ?? 1;
  if (size > 1 && cluster.isPrimary) return lead({ service, size, policy });
  const group = cluster.isPrimary ? alone(variable) : joinGroup(size, policy);
  await serve(group);
  await group.leave();
  return 0;
}

function alone(variable: string): Group {
  const explain = (): void =>
    void process.stderr.write(`SIGHUP replaces processes one by one if ${variable} is 2 or more.\n`);
  const stopped = stopSignal(explain);
  return withoutLeader(stopped.then(() => ({ isReplaced: false, hurry: stopped })));
}

interface Lead {
  readonly service: string;
  readonly size: number;
  readonly policy: GroupPolicy;
}

async function lead({ service, size, policy }: Lead): Promise<number> {
  const stopping = new AbortController();
  let replace = (): void => undefined;
  void stopSignal(() => replace()).then(() => stopping.abort());
  const { LOG_LEVEL: level } = readSettings({ LOG_LEVEL: logLevelSetting() }, process.env);
  const logger = openLog({ service, level, tracing: null });
  const onReplace = (listener: () => void): void => void (replace = listener);
  const code = await leadGroup({ size, logger, stopping: stopping.signal, onReplace, policy });
  return code;
}
