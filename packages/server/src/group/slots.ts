import { setTimeout as sleep } from 'node:timers/promises';
import { type Exit, isAborted, keepRunning } from '@plugin-config/supervision';
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

/** A process that ends by itself is started again in its slot. */
interface Slot {
  member: Member;
}

/** The slots of a group: in each of them, one process serves. */
export interface Slots {
  /** Puts the first process into its slot, and starts the others. */
  fill(first: Member): void;
  /**
   * Why the group cannot work now; null if it can: one process is enough, since all take their connections from one queue.
   */
  readiness(): Promise<string | null>;
  /** Replaces the processes one after the other. Each begins to serve before the one in its slot ends. */
  replace(): Promise<void>;
}

const READY_POLL_MS = 100;

export function slots({ size, launch, onRestart, logger, stopping, policy }: Dependencies): Slots {
  const all: Slot[] = [];
  const runIn = async (slot: Slot): Promise<Exit> => {
    if (slot.member.hasEnded) slot.member = launch();
    for (;;) {
      const { member } = slot;
      const exit = await member.exited;
      // Otherwise, it was replaced.
      if (slot.member === member) return exit;
    }
  };
  const take = (member: Member): void => {
    const slot = { member };
    all.push(slot);
    const onEnd = ({ pid, how }: Exit, pauseMs: number): boolean => {
      logger.error({ ended: pid, pause_ms: pauseMs }, `a process ${how}, and is started again`);
      onRestart();
      return true;
    };
    void keepRunning({ run: () => runIn(slot), onEnd, pauses: policy }, stopping);
  };
  const replaceAll = async (): Promise<void> => {
    logger.info('the processes are being replaced');
    for (const slot of all) {
      if (isAborted(stopping)) return;
      const next = launch();
      const isReady = await becomesReady(next, policy.readyWithinMs);
      if (isAborted(stopping)) return;
      if (!isReady) {
        next.kill();
        logger.error('a new process did not become ready: the others go on');
        return;
      }
      const { member: last } = slot;
      slot.member = next;
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

async function becomesReady(member: Member, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (performance.now() < end && !member.hasEnded) {
    if ((await member.readiness()) === null) return true;
    await sleep(READY_POLL_MS);
  }
  return false;
}
