import { DomainError, timedOut, type DomainErrorCode } from '@plugin-config/domain';
import { workThread, type PlainError, type WorkThread } from '@plugin-config/flow/node';

interface PlainDomainError extends PlainError {
  readonly code: DomainErrorCode;
  readonly attr: string | null;
  readonly retryAfterSeconds: number | null;
  readonly errors: readonly PlainDomainError[] | null;
}

/** Opens the thread for the long pure work of this process. */
export function openThread(entry: URL): WorkThread {
  return workThread({ entry, errorOf, tooLate: timedOut });
}

function errorOf(plain: PlainError): Error {
  if (plain.name === 'DomainError') return domainErrorOf(plain as PlainDomainError);
  if (plain.name === 'SyntaxError') return new SyntaxError(plain.message);
  return new Error(plain.message);
}

function domainErrorOf({ code, message, attr, retryAfterSeconds, errors }: PlainDomainError): DomainError {
  return new DomainError(code, message, {
    ...(attr !== null && { attr }),
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    ...(errors !== null && { errors: errors.map(domainErrorOf) }),
  });
}
