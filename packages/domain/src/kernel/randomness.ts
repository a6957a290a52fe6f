/** Randomness enters the core here. It must be unpredictable: keys are made of it. */
export interface Randomness {
  bytes(length: number): Uint8Array;
  /** A new version 7 UUID, whose first part is the time. */
  uuid(): string;
}
