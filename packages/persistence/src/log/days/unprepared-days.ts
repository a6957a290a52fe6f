/** Thrown in a transaction that writes to days whose partitions may not exist. */
export class UnpreparedDays extends Error {
  override readonly name = 'UnpreparedDays';
  readonly days: readonly number[];

  constructor(days: readonly number[]) {
    super('The partitions of some days do not exist yet.');
    this.days = days;
  }
}
