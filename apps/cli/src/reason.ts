import { DomainError } from '@plugin-config/domain';

/** Describes an error in one line. */
export function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reason(error.errors[0]);
  const message = error instanceof Error ? explain(error) : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ');
}

function explain(error: Error): string {
  if (!(error instanceof DomainError)) return error.message || error.name;
  if (error.code === 'unavailable' && error.cause !== undefined)
    return `${error.message} ${reason(error.cause)}`;
  return error.attr === null ? error.message : `${error.attr}: ${error.message}`;
}
