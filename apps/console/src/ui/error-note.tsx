import { PluginConfigError } from '@plugin-config/client';
import { CopyButton } from './copy-button.tsx';

interface Properties {
  readonly error: Error;
  readonly retry?: () => void;
}

/** Shows what went wrong, what to do about it, and the id under which the request was logged. */
export function ErrorNote({ error, retry }: Properties) {
  const detail = error instanceof PluginConfigError ? error.detail : error.message;
  const requestId = error instanceof PluginConfigError ? error.requestId : null;
  return (
    <div role="alert" className="error-note">
      <p>
        <strong>{detail}</strong> {adviceFor(error)}
      </p>
      <p className="actions">
        {retry !== undefined && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
        {requestId !== null && (
          <span className="request-id">
            Request ID <code>{requestId}</code> <CopyButton text={requestId} what="request ID" />
          </span>
        )}
      </p>
    </div>
  );
}

/** Returns what the user can do about an error. */
function adviceFor(error: Error): string {
  if (!(error instanceof PluginConfigError)) return '';
  if (error.code === 'unreachable' || error.code === 'timed_out') {
    return 'Could not reach the service. Check your connection; your input is kept.';
  }
  if (error.code === 'permission_denied') return 'Sign in with a key that has permission.';
  if (error.code === 'throttled') return 'Wait a moment, then try again.';
  if (error.type !== 'server_error') return '';
  return 'Try again in a moment. If the problem persists, send the request ID to your operator.';
}
