import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { pauseAfter, type GroupPolicy } from './group-policy.ts';
import type { Member } from './member.ts';

interface Dependencies {
  readonly size: number;
  launch(): Member;
  onRestart(): void;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly policy: GroupPolicy;
}

/** A process that ends by itself is started again in its place. */
interface Place {
  member: Member;
  pauseMs: number;
}

/** The places of a group: in each of them, one process serves. */
export interface Places {
  /** Puts the first process into its place, and starts the others. */
  fill(first: Member): void;
  /** Why the group cannot work now; null if it can. */
  readiness(): Promise<string | null>;
  /** Replaces the processes one after the other. Each begins to serve before the one in its place ends. */
  replace(): Promise<void>;
}

const READY_POLL_MS = 100;

export function places({ size, launch, onRestart, logger, stopping, policy }: Dependencies): Places {
  const all: Place[] = [];
  const serve = async (place: Place, member: Member): Promise<void> => {
    place.member = member;
    const { how, ranMs } = await member.exited;
    if (place.member !== member || stopping.aborted) return;
    place.pauseMs = pauseAfter(place.pauseMs, ranMs, policy);
    logger.error({ ended: member.pid, pause_ms: place.pauseMs }, `a process ${how}, and is started again`);
    onRestart();
    await sleep(place.pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    if (place.member === member && !isAborted(stopping)) void serve(place, launch());
  };
  const take = (member: Member): void => {
    const place = { member, pauseMs: 0 };
    all.push(place);
    void serve(place, member);
  };
  const replaceAll = async (): Promise<void> => {
    logger.info('the processes are being replaced');
    for (const place of all) {
      const next = launch();
      const isReady = await becomesReady(next, policy.readyWithinMs);
      if (stopping.aborted) return;
      if (!isReady) {
        next.kill();
        logger.error('a new process did not become ready: the others go on');
        return;
      }
      const { member: last } = place;
      void serve(place, next);
      last.replace();
      await last.exited;
    }
    logger.info('the processes have been replaced');
  };
  let running: Promise<void> = Promise.resolve();
  let isWaiting = false;
  return {
    fill: (first) => {
      take(first);
      while (all.length < size) take(launch());
    },
    readiness: async () => {
      if (all.length < size) return 'A process is starting.';
      const reasons = await Promise.all(all.map(({ member }) => member.readiness()));
      return reasons.find((reason) => reason !== null) ?? null;
    },
    replace: async () => {
      if (isWaiting) return;
      isWaiting = true;
      await running;
      isWaiting = false;
      await (running = replaceAll());
    },
  };
}

/** A function, because TypeScript assumes that `aborted` cannot change across an `await`. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

async function becomesReady(member: Member, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (performance.now() < end && !member.hasEnded) {
    if ((await member.readiness()) === null) return true;
    await sleep(READY_POLL_MS);
  }
  return false;
}
