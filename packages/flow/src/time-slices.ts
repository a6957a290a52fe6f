/** Divides long work into time slices, to let other work run in between. */
export interface TimeSlices {
  /** Whether the current slice is used up. */
  isDue(): boolean;
  /** Lets other work run. Resolves at the start of the next slice. */
  yieldTurn(): Promise<void>;
}

/** Runs work that yields after each step. */
export async function inSlices<T>(
  work: Generator<void, T, void>,
  { isDue, yieldTurn }: TimeSlices,
): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (isDue()) await yieldTurn();
  }
}
