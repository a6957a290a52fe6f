/** The domain's source of randomness. It must be unpredictable, because API keys are made from it. */
export interface Randomness {
  bytes(length: number): Uint8Array;
  /** Returns a new version 7 UUID, greater than all before. */
  uuid(): string;
}
