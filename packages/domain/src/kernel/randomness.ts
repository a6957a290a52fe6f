/** The source of randomness for the domain. It must be unpredictable: API keys are made from it. */
export interface Randomness {
  bytes(length: number): Uint8Array;
  /** A new version 7 UUID, which begins with the time. Each is greater than the one before. */
  uuid(): string;
}
