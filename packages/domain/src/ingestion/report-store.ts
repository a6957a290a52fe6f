import type { DeliveryMessage, ErrorMessage } from '../message/message.ts';

/** What plugins report about their records, beside the entries of their logs. */
export interface Reports {
  readonly deliveries: readonly DeliveryMessage[];
  readonly errors: readonly ErrorMessage[];
}

export interface ReportStore {
  /**
   * Counts each delivery whose id was not counted of its record before; of several alike the first one. Resolves to what
   * became of the deliveries, in their order.
   *
   * Of all errors that are reported of a record, it shows the latest (`isLaterError`), in whatever order and however
   * often they come: at once, or at the next refreshment of the rates where somebody else holds its family now.
   *
   * Safe to repeat. @throws DomainError `invalid_input` where a text cannot be stored
   */
  store(reports: Reports): Promise<readonly ('stored' | 'duplicate')[]>;
}
