/** Keeps the delivery rates of the records up to date, after new reports and as the window moves. */
export interface DeliveryRates {
  /**
   * Updates the rates that are due, and raises the family version of families with a changed rate. Also shows the latest
   * error of a record whose family was locked when the error was reported. Leaves the version and `updatedAt` of a
   * record unchanged. Several workers may refresh at once. Resolves to the number of changed records.
   */
  refresh(now: Date): Promise<number>;
}
