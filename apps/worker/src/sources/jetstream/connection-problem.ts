import { AuthorizationError, TimeoutError, UserAuthenticationExpiredError } from '@nats-io/transport-node';
import { DomainError } from '@plugin-config/domain';

export const UNREACHABLE = 'NATS is unreachable.';

/** Explains why no connection could be opened, and what to check. */
export function connectionProblem(error: unknown): string {
  if (!(error instanceof Error) || isNetworkError(error) || isNetworkError(error.cause)) return UNREACHABLE;
  if (error instanceof DomainError) return error.message;
  if (error instanceof TimeoutError) {
    return 'NATS does not respond in time. If it requires a certificate, check NATS_CERT and NATS_KEY.';
  }
  return error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError
    ? `NATS rejects the worker's user (${error.message}): check NATS_CREDS, or the user in NATS_URL.`
    : `Cannot connect to NATS (${error.message}): check NATS_URL, NATS_CA, NATS_CERT and NATS_KEY.`;
}

/** Whether the connection failed because of the network, or because no server is listening. */
function isNetworkError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
