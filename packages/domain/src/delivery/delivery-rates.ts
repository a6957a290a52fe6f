/** Keeps the rates that the records show up to date: with what was reported, and with time. */
export interface DeliveryRates {
  /**
   * Brings those rates up to date that are due, and raises the revision of the families that show another rate now.
   * Shows the latest error too, where the family was held when it was reported. Neither a record's version nor its
   * `updatedAt` moves. Several workers may do it at once. Resolves to how many records changed.
   */
  refresh(now: Date): Promise<number>;
}
