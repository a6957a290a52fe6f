/** The view of the database until the connections of a process move: one server since its start, and one history of commits. */
export interface Timeline {
  /**
   * Identifies the history of commits in all processes (see `ServerState`). As long as it is unknown, such as on a standby, it is
   * random: what it marks is valid in this process only.
   */
  readonly id: string;
  /** Aborts when the connections move, because commits that this process has seen may be lost. */
  readonly ended: AbortSignal;
}

/**
 * Returns a function with a separate value for each timeline, such as a cache. Work that began on an earlier timeline keeps using
 * the value of that one, so what it has read is never taken for a later state.
 */
export function perTimeline<T>(create: (timeline: Timeline) => T): (timeline: Timeline) => T {
  const values = new WeakMap<Timeline, { readonly value: T }>();
  return (timeline) => {
    const found = values.get(timeline) ?? { value: create(timeline) };
    values.set(timeline, found);
    return found.value;
  };
}
