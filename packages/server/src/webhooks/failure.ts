/** Why a connection was given up, apart from the errors of Node. */
export type FailureCode =
  | 'FORBIDDEN_ADDRESS'
  | 'PLAIN_HTTP'
  | 'ENODATA'
  | 'ECONNRESET'
  | 'TOO_MANY_RESPONSES';

/** Creates an error with a code, like Node's. */
export function failure(code: FailureCode): Error {
  return Object.assign(new Error(code), { code });
}
