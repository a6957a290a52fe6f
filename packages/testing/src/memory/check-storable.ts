import { DomainError, isStorable } from '@plugin-config/domain';

/** @throws DomainError `invalid_input` if a database could not store the text */
export function checkStorable(text: string): void {
  if (!isStorable(text)) throw new DomainError('invalid_input', 'Something in the batch cannot be stored.');
}
