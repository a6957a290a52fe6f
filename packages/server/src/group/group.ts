import cluster from 'node:cluster';
import { DomainError } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { Ending } from '../lifecycle/graceful-shutdown.ts';
import { stopSignal } from '../lifecycle/stop-signal.ts';
import { askAndAnswer } from './ask-and-answer.ts';
import type { GroupPolicy } from './group-policy.ts';
import { ownReadiness } from './own-readiness.ts';
import type { MemberAnswers, LeaderAnswers } from './questions.ts';
import { textOf, type Samples } from './samples.ts';
import { sharedBounds, type SharedBounds } from './shared-bounds.ts';
import { watchLeader } from './watch-leader.ts';

/** What the process says about itself. */
export interface Own {
  /** Why the process cannot work now; null if it can. */
  readiness(): Promise<string | null>;
  samples(): Promise<Samples>;
}

/** What the group says about all its processes together. */
export interface GroupHealth {
  readiness(): Promise<string | null>;
  /** The metrics in the text format of Prometheus. */
  metrics(): Promise<string>;
}

/** The processes of an app on this machine, as one of them sees them. */
export interface Group {
  /** The number of processes that serve. */
  readonly size: number;
  /** True in the process that speaks for all where one line is enough. */
  readonly isFirst: boolean;
  readonly bounds: SharedBounds;
  /** Resolves when the process has to end. */
  readonly ending: Promise<Ending>;
  /** Tells the group how to ask this process. */
  health(own: Own, logger: Logger): GroupHealth;
  /** Leaves the last metrics of the process with the group. */
  leave(): Promise<void>;
}

/** A group of one, without a leader. */
export function withoutLeader(ending: Promise<Ending> = new Promise(() => undefined)): Group {
  return {
    size: 1,
    isFirst: true,
    bounds: sharedBounds()(),
    ending,
    health: ({ readiness, samples }) => ({ readiness, metrics: async () => textOf(await samples()) }),
    leave: async () => undefined,
  };
}

const STARTING = 'The process is starting.';

/** The group of this process, which a leader has started. */
export function joinGroup(size: number, policy: GroupPolicy): Group {
  const leader = watchLeader(policy);
  // The first process of a container cannot be killed from within: its processes end then, and nothing answers `/livez`.
  const stopped = Promise.race([stopSignal(), leader.killed]);
  const replaced = Promise.withResolvers<void>();
  let own: Own = { readiness: async () => STARTING, samples: async () => [] };
  const answers: MemberAnswers = {
    readiness: () => own.readiness(),
    samples: () => {
      leader.noteQuestion();
      return own.samples();
    },
    end: () => replaced.resolve(),
  };
  const giveStream = (keyId: number): void => void ask('giveStream', keyId).catch(() => undefined);
  const ask = askAndAnswer<MemberAnswers, LeaderAnswers>(process, answers, {
    late: { takeStream: (isTaken, { keyId }) => isTaken && giveStream(keyId) },
  });
  const reach = async <T>(question: () => Promise<T>): Promise<T> =>
    leader.isSilent ? noAnswer() : question().catch(noAnswer);
  return {
    size,
    isFirst: cluster.worker?.id === 1,
    bounds: {
      countRequest: (of) => reach(() => ask('countRequest', of)),
      takeStream: (of) => reach(() => ask('takeStream', of)),
      giveStream,
    },
    ending: Promise.race([
      stopped.then(() => ({ isReplaced: false, hurry: stopped })),
      replaced.promise.then(() => ({ isReplaced: true, hurry: stopped })),
    ]),
    health: ({ readiness, samples }, logger) => {
      own = { readiness: ownReadiness(readiness, logger), samples };
      return { readiness: () => reach(() => ask('readiness')), metrics: () => reach(() => ask('metrics')) };
    },
    leave: async () => ask('keepSamples', await own.samples()).catch(() => undefined),
  };
}

function noAnswer(cause?: unknown): never {
  throw new DomainError('unavailable', 'The processes of this machine cannot reach each other.', { cause });
}
