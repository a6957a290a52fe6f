import { setTimeout as sleep } from 'node:timers/promises';
import { type Exit, keepRunning } from '@plugin-config/supervision';
import type { Logger } from 'pino';
import type { GroupPolicy } from './group-policy.ts';
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
}

/** The places of a group: in each of them, one process serves. */
export interface Places {
  /** Puts the first process into its place, and starts the others. */
  fill(first: Member): void;
  /**
   * Why the group cannot work now; null if it can: one process is enough, since all take their connections from one queue.
   */
  readiness(): Promise<string | null>;
  /** Replaces the processes one after the other. Each begins to serve before the one in its place ends. */
  replace(): Promise<void>;
}

const READY_POLL_MS = 100;

export function places({ size, launch, onRestart, logger, stopping, policy }: Dependencies): Places {
  const all: Place[] = [];
  const runIn = async (place: Place): Promise<Exit> => {
    if (place.member.hasEnded) place.member = launch();
    for (;;) {
      const { member } = place;
      const exit = await member.exited;
      // Otherwise, it was replaced.
      if (place.member === member) return exit;
    }
  };
  const take = (member: Member): void => {
    const place = { member };
    all.push(place);
    const onEnd = ({ pid, how }: Exit, pauseMs: number): boolean => {
      logger.error({ ended: pid, pause_ms: pauseMs }, `a process ${how}, and is started again`);
      onRestart();
      return true;
    };
    void keepRunning({ run: () => runIn(place), onEnd, pauses: policy }, stopping);
  };
  const replaceAll = async (): Promise<void> => {
    logger.info('the processes are being replaced');
    for (const place of all) {
      if (isAborted(stopping)) return;
      const next = launch();
      const isReady = await becomesReady(next, policy.readyWithinMs);
      if (isAborted(stopping)) return;
      if (!isReady) {
        next.kill();
        logger.error('a new process did not become ready: the others go on');
        return;
      }
      const { member: last } = place;
      place.member = next;
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
      const reasons = all.map(({ member }) => member.readiness());
      const ready = reasons.map(async (reason) => {
        if ((await reason) !== null) throw new Error('not ready');
        return null;
      });
      return Promise.any(ready).catch(() => reasons[0] ?? 'A process is starting.');
    },
    replace: async () => {
      if (isWaiting) return;
      isWaiting = true;
      await running;
      isWaiting = false;
      running = replaceAll().catch((err: unknown) =>
        logger.error({ err }, 'processes could not be replaced'),
      );
      await running;
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
