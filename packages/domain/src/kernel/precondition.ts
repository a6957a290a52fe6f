import { DomainError } from './domain-error.ts';

/** The versions that the caller accepts; null accepts any. */
export type Precondition = readonly number[] | null;

export function checkPrecondition(precondition: Precondition, version: number): void {
  if (precondition !== null && !precondition.includes(version)) {
    throw new DomainError(
      'stale_version',
      'It has changed since: its current ETag is not the one in If-Match.',
    );
  }
}
