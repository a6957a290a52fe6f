import { PluginConfigError } from '@plugin-config/client';

/** Says what the user may do about an error. */
export function adviceFor(error: Error): string {
  if (!(error instanceof PluginConfigError)) return '';
  if (error.code === 'unreachable' || error.code === 'timed_out') {
    return 'The service does not answer. Check your connection; what you entered stays here.';
  }
  if (error.code === 'permission_denied') return 'Sign in with a key that may do this.';
  if (error.code === 'throttled') return 'Wait a moment, then try again.';
  if (error.type !== 'server_error') return '';
  return 'Try again in a moment. If it happens again, tell the operator the request id.';
}
