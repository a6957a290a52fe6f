import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { endAfterUs, type Exit, exitOf, untilUnanswered } from '@plugin-config/supervision';
import { askAndAnswer } from './ask-and-answer.ts';
import type { GroupPolicy } from './group-policy.ts';
import type { MemberAnswers, LeaderAnswers } from './questions.ts';
import type { Samples } from './samples.ts';

/** A process of the group, as its leader sees it. */
export interface Member {
  readonly hasEnded: boolean;
  /** Resolves to true when the process listens, or to false when it has ended before. */
  readonly listening: Promise<boolean>;
  readonly exited: Promise<Exit>;
  /** The metrics that the process has told last. */
  readonly samples: Samples;
  /** Asks for the metrics anew, but does not wait long. Never rejects. */
  refresh(): Promise<void>;
  /** Why the process cannot work now; null if it can. */
  readiness(): Promise<string | null>;
  /** Ends the process once it has finished what it has, since another one has taken its place. */
  replace(): void;
  stop(): void;
  kill(): void;
}

/** The longest wait for the metrics of a process: without an answer, those that it has told last count. */
const REFRESH_MS = 1_000;
/** How long a process may take to end when its leader was killed. One that hangs would keep the port. */
const ORPHAN_SECONDS = 0.2;

/** Watches a process of the group, and kills it if it does not answer for long. */
export function watchMember(
  worker: Worker,
  answers: Omit<LeaderAnswers, 'keepSamples'>,
  { askEveryMs, unansweredMax, finishWithinMs }: GroupPolicy,
): Member {
  let samples: Samples = [];
  let isListening = false;
  let wasHung = false;
  const ended = new AbortController();
  const keepSamples = (latest: Samples): void => void (samples = latest);
  const own: LeaderAnswers = { ...answers, keepSamples };
  const ask = askAndAnswer<LeaderAnswers, MemberAnswers>(worker.process, own, { patienceMs: askEveryMs });
  const refresh = async (): Promise<void> => keepSamples(await ask('samples'));
  const kill = (): void => void worker.process.kill('SIGKILL');
  const isAnswered = (): Promise<boolean> =>
    refresh().then(
      () => true,
      () => false,
    );
  const questions = { ask: isAnswered, everyMs: askEveryMs, most: unansweredMax };
  void untilUnanswered(questions, ended.signal).then((isHung) => {
    if (!isHung) return;
    wasHung = true;
    kill();
  });
  // Without a listener, an error of the channel would end the leader.
  worker.on('error', () => undefined);
  endAfterUs(worker.process, { signal: 'SIGKILL', afterSeconds: ORPHAN_SECONDS });
  const hungMs = askEveryMs * unansweredMax;
  const exited = exitOf(worker.process).then((exit) => {
    ended.abort();
    return wasHung ? { ...exit, how: `gave no answer for ${hungMs / 1000} s and was killed` } : exit;
  });
  const listening = Promise.withResolvers<boolean>();
  worker.once('listening', () => listening.resolve((isListening = true)));
  void exited.then(() => listening.resolve(false));
  return {
    get hasEnded() {
      return ended.signal.aborted;
    },
    listening: listening.promise,
    exited,
    get samples() {
      return samples;
    },
    refresh: async () => {
      if (isListening) await Promise.race([refresh().catch(() => undefined), sleep(REFRESH_MS)]);
    },
    readiness: async () => {
      if (ended.signal.aborted) return 'A process has ended, and is started again.';
      if (!isListening) return 'A process is starting.';
      return ask('readiness').catch(() => 'A process does not answer.');
    },
    replace: () => {
      ask('end').catch(() => undefined);
      setTimeout(kill, finishWithinMs).unref();
    },
    stop: () => void worker.process.kill('SIGTERM'),
    kill,
  };
}
