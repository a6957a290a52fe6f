import { AuthorizationError, TimeoutError, UserAuthenticationExpiredError } from '@nats-io/transport-node';
import { DomainError } from '@plugin-config/domain';

export const OUT_OF_REACH = 'NATS is out of reach.';

/** Says why no connection could be opened, and what to check. */
export function connectionProblem(error: unknown): string {
  if (!(error instanceof Error) || isOfNetwork(error) || isOfNetwork(error.cause)) return OUT_OF_REACH;
  if (error instanceof DomainError) return error.message;
  if (error instanceof TimeoutError) {
    return 'NATS does not answer in time. If it requires a certificate, check NATS_CERT and NATS_KEY.';
  }
  return error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError
    ? `NATS rejects the user of the worker (${error.message}): check NATS_CREDS, or the user in NATS_URL.`
    : `NATS cannot be used (${error.message}): check NATS_URL, NATS_CA, NATS_CERT and NATS_KEY.`;
}

/** Whether the network, or the host without a server, rejected the connection. */
function isOfNetwork(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
