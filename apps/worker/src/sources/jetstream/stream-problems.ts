/** What can keep messages from coming or from being acknowledged, the most fundamental first. */
const KINDS = ['connection', 'consumer', 'pull', 'acknowledgement'] as const;

export type ProblemKind = (typeof KINDS)[number];

/** Why a stream does not work at the moment. A problem lasts until the opposite is seen, not until the next try. */
export interface StreamProblems {
  /** The most fundamental one; null where the stream works. */
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
