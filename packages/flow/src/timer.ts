/** Schedules work, and returns a function that cancels it. */
export type Timer = (work: () => void, afterMs: number) => () => void;
