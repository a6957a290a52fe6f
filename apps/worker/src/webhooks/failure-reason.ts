import type { FailureCode } from '@plugin-config/server';

const REASONS: Readonly<Record<FailureCode | 'ENOTFOUND' | 'ECONNREFUSED', string>> = {
  FORBIDDEN_ADDRESS:
    'The URL points to a private or reserved address that is not in WEBHOOK_ALLOW_ADDRESSES of the worker.',
  PLAIN_HTTP: 'The URL starts with http://, but the worker has no WEBHOOK_ALLOW_HTTP=true.',
  ENOTFOUND: 'The name of the receiver cannot be resolved.',
  ENODATA: 'The name of the receiver has no address.',
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The connection ended before the response.',
  TOO_MANY_RESPONSES: 'The connection ended after too many interim responses.',
};

/** Returns the reason without the message of the error, which may contain the URL or an address. */
export function failureReason(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== 'string') return 'The connection failed.';
  return (REASONS as Readonly<Record<string, string>>)[code] ?? `The connection failed: ${code}.`;
}
