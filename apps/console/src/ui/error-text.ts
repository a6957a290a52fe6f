import { PluginConfigError } from '@plugin-config/client';

/** What is wrong, and with which field if it is one. */
export interface FieldError {
  readonly attr: string | null;
  readonly detail: string;
}

/** Returns the errors of a response, or the error itself. */
export function errorsOf(error: Error): readonly FieldError[] {
  if (!(error instanceof PluginConfigError)) return [{ attr: null, detail: error.message }];
  return error.errors.length > 0 ? error.errors : [error];
}

/** Whether what was requested does not exist. */
export const isNotFound = (error: Error | null): boolean =>
  error instanceof PluginConfigError && error.status === 404;

const ENDED: ReadonlySet<string> = new Set(['not_authenticated', 'authentication_failed']);

/** Whether the session or the token has ended. A key that cannot sign in is an error of a field. */
export const isSessionEnd = (error: Error | null): boolean =>
  error instanceof PluginConfigError && ENDED.has(error.code) && error.attr === null;

/** Says what is wrong, and with which fields. */
export function errorText(error: Error): string {
  if (isSessionEnd(error)) return 'Your session has ended. Sign in again.';
  return errorsOf(error)
    .map(({ attr, detail }) => (attr === null ? detail : `${attr}: ${detail}`))
    .join(' ');
}
