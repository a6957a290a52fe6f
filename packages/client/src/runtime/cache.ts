/** The stored state, and the milliseconds since then by the system clock. */
export interface Cached<State> {
  readonly state: State;
  readonly ageMs: number;
}

/** Stores the last good state for starts without the service. */
export interface Cache<State> {
  /** Resolves to null if there is none. Rejects if it cannot be used. */
  load(): Promise<Cached<State> | null>;
  /** Stores a state that the service has just sent or confirmed. */
  store(state: State): Promise<void>;
  /** Removes it unless it has another owner. */
  remove(): Promise<void>;
}

export const NO_CACHE: Cache<never> = {
  load: async () => null,
  store: async () => undefined,
  remove: async () => undefined,
};
