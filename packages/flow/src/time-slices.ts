/** Divides long work into time slices, so that the process does other work in between. */
export interface TimeSlices {
  /** Returns true if the current slice has used its time. */
  isDue(): boolean;
  /** Lets other work run. Resolves when the next slice begins. */
  yieldTurn(): Promise<void>;
}

/** Runs work that yields after each of its steps. */
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
