/** Thrown by a transaction that writes to days without prepared partitions. */
export class UnpreparedDays extends Error {
  override readonly name = 'UnpreparedDays';
  readonly days: readonly number[];

  constructor(days: readonly number[]) {
    super('The partitions of some days are not prepared yet.');
    this.days = days;
  }
}
