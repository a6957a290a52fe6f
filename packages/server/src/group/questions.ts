import type { SharedBounds } from './shared-bounds.ts';
import type { Samples } from './samples.ts';

/** What a member of a group asks its leader. */
export interface LeaderAnswers extends SharedBounds {
  /** Why the group cannot work now; null if it can. */
  readiness(): Promise<string | null>;
  /** The metrics of the group in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Keeps the last metrics of the member, which ends now. */
  keepSamples(samples: Samples): void;
}

/** What the leader of a group asks a member. */
export interface MemberAnswers {
  /** Why the member cannot work now; null if it can. */
  readiness(): Promise<string | null>;
  samples(): Promise<Samples>;
  /** Ends the member once it has finished what it has: another one has taken its place. */
  end(): void;
}
