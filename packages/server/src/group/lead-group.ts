import cluster from 'node:cluster';
import { once } from 'node:events';
import { endsWithin } from '@plugin-config/supervision';
import type { Logger } from 'pino';
import { groupMetrics } from './group-metrics.ts';
import type { GroupPolicy } from './group-policy.ts';
import { watchMember, type Member } from './member.ts';
import { slots } from './slots.ts';
import { sharedBounds } from './shared-bounds.ts';

export interface GroupOptions {
  /** The number of processes that serve. */
  readonly size: number;
  readonly logger: Logger;
  /** Aborted when the group has to stop. */
  readonly stopping: AbortSignal;
  /** Calls the listener whenever all processes have to be replaced. */
  onReplace(listener: () => void): void;
  readonly policy: GroupPolicy;
}

/**
 * Starts the processes of an app, which share its port, and keeps as many of them serving. Resolves to an exit code when
 * all of them have ended.
 */
export async function leadGroup(options: GroupOptions): Promise<number> {
  const { size, logger, stopping, onReplace, policy } = options;
  // All processes accept from one queue of the kernel, which outlives each of them.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const members = new Set<Member>();
  const metrics = groupMetrics(members);
  const bounds = sharedBounds();
  const readiness = async (): Promise<string | null> =>
    stopping.aborted ? 'The service is shutting down.' : serving.readiness();
  const launch = (): Member => {
    const { giveAll, ...used } = bounds();
    const member = watchMember(cluster.fork(), { ...used, readiness, metrics: metrics.text }, policy);
    members.add(member);
    void member.exited.then(() => {
      members.delete(member);
      metrics.keep(member);
      giveAll();
    });
    return member;
  };
  const serving = slots({ size, launch, logger, stopping, policy, onRestart: metrics.countRestart });

  const stopped = stopAll(members, stopping, policy.stopWithinMs);
  const first = launch();
  const isListening = await first.listening;
  if (!stopping.aborted) {
    if (!isListening) return (await first.exited).code ?? 1;
    serving.fill(first);
    onReplace(() => void serving.replace());
  }
  await stopped;
  return 0;
}

async function stopAll(members: ReadonlySet<Member>, stopping: AbortSignal, withinMs: number): Promise<void> {
  if (!stopping.aborted) await once(stopping, 'abort');
  for (const member of members) member.stop();
  const ended = Promise.all([...members].map(({ exited }) => exited));
  if (!(await endsWithin(ended, withinMs))) members.forEach((member) => member.kill());
  await ended;
}
