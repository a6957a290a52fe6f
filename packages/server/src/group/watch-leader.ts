import { untilUnanswered } from '@plugin-config/supervision';
import type { GroupPolicy } from './group-policy.ts';

/** What a process of the group knows of its leader, by what the leader asks. */
export interface WatchedLeader {
  /** Notes that the leader has asked. */
  noteQuestion(): void;
  /** True if the leader has asked nothing for longer than between two questions. */
  readonly isSilent: boolean;
  /** Resolves once the leader has asked nothing for so long that it hangs, and is killed. */
  readonly killed: Promise<void>;
}

/** More than one interval: the leader and its processes do not count from the same moment. */
const SILENT_INTERVALS = 2;
const FOR_GOOD = new AbortController().signal;

/**
 * Kills a leader that hangs, as the leader kills a process that hangs. Then the app ends, and its supervisor starts it again.
 * The supervisor cannot notice a leader that hangs, since the processes go on answering.
 */
export function watchLeader({ askEveryMs, unansweredMax }: GroupPolicy): WatchedLeader {
  const leader = process.ppid;
  let missed = 0;
  const hasAsked = async (): Promise<boolean> => missed++ === 0;
  const hangs = untilUnanswered({ ask: hasAsked, everyMs: askEveryMs, most: unansweredMax }, FOR_GOOD);
  return {
    noteQuestion: () => void (missed = 0),
    get isSilent() {
      return missed > SILENT_INTERVALS;
    },
    killed: hangs.then(() => {
      const seconds = (askEveryMs * unansweredMax) / 1000;
      process.stderr.write(`The leader of the processes asked nothing for ${seconds} s, and is killed.\n`);
      process.kill(leader, 'SIGKILL');
    }),
  };
}
