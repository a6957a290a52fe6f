/** Divides long work into slices, so that the process does other work in between. */
export interface Slices {
  /** Whether the present slice has taken its time. */
  isDue(): boolean;
  /** Lets other work run. */
  yieldTurn(): Promise<void>;
}

/** Runs work that yields after each of its steps. */
export async function inSlices<T>(work: Generator<void, T, void>, { isDue, yieldTurn }: Slices): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (isDue()) await yieldTurn();
  }
}
