import type { DeliveryMessage, ErrorMessage } from '../message/message.ts';

/** Reports of plugins about their records, other than log entries. */
export interface Reports {
  readonly deliveries: readonly DeliveryMessage[];
  readonly errors: readonly ErrorMessage[];
}

export interface ReportStore {
  /**
   * Counts each delivery whose id was not counted for its record before, and of equal ones the first. Resolves to the
   * outcome of each delivery, in order.
   *
   * Of all reported errors of a record, the record shows the latest (`isLaterError`), whatever their order and number:
   * at once, or at the next refresh of the rates if its family is locked now.
   *
   * Safe to repeat. @throws DomainError `invalid_input` if a text cannot be stored
   */
  store(reports: Reports): Promise<readonly ('stored' | 'duplicate')[]>;
}
