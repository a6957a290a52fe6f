/** Kinds of problems that stop delivery or acknowledgement, most fundamental first. */
const KINDS = ['connection', 'consumer', 'pull', 'acknowledgement'] as const;

export type ProblemKind = (typeof KINDS)[number];

/** The current problems of a stream. A problem lasts until the next success, not until the next attempt. */
export interface StreamProblems {
  /** The most fundamental problem; null if the stream works. */
  readonly current: string | null;
  has(kind: ProblemKind): boolean;
  set(kind: ProblemKind, reason: string | null): void;
}

export function streamProblems(onChange: (current: string | null) => void): StreamProblems {
  const reasons: Record<ProblemKind, string | null> = {
    connection: null,
    consumer: null,
    pull: null,
    acknowledgement: null,
  };
  const current = (): string | null => {
    const kind = KINDS.find((each) => reasons[each] !== null);
    return kind === undefined ? null : reasons[kind];
  };
  return {
    get current() {
      return current();
    },
    has: (kind) => reasons[kind] !== null,
    set(kind, reason) {
      const before = current();
      reasons[kind] = reason;
      const after = current();
      if (after !== before) onChange(after);
    },
  };
}
