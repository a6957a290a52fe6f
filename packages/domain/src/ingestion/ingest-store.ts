import type { DeadReason } from '../message/dead-reason.ts';
import type { Message } from '../message/message.ts';

/**
 * What became of a message. A reason means that it lies with the dead letters; `gone`, that the dead letter which it was
 * another try of had been stored or dropped meanwhile, so that nothing was done.
 */
export type Outcome = 'stored' | 'duplicate' | 'gone' | DeadReason;

export interface IngestStore {
  /**
   * Stores a batch in one step, all of it or nothing, and resolves after the commit to what became of each message,
   * in their order.
   *
   * - An entry is stored unless its like (record, timestamp, id) is; a delivery is counted unless its id was.
   *   Of several alike in a batch the first counts.
   * - Of all errors that are reported of a record, it shows the latest (`isLaterError`), in whatever order and however
   *   often they come: at once, or at the next refreshment of the rates where somebody else holds its family now.
   * - What is dead, or is refused because of its record, or falls on a day that is dropped, becomes a dead letter,
   *   unless the same message is one already.
   * - The dead letter that a message is another try of goes when the message is stored; dead again, it takes the
   *   new reason. Where there is no such letter any more, nothing is stored, and the message is `gone`.
   *
   * @throws DomainError `invalid_input` where some message is one that the store cannot take; `unavailable` or `busy`
   * where it can take none now. Nothing is stored then.
   */
  store(messages: readonly Message[]): Promise<readonly Outcome[]>;
}
