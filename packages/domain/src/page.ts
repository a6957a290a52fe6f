export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<T> {
  /** How many there are in all, on every page together. */
  readonly count: number;
  readonly items: readonly T[];
}
