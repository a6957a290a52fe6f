import { PluginConfigError } from '@plugin-config/client';
import { CopyButton } from './copy-button.tsx';

interface Properties {
  readonly error: Error;
  readonly retry?: () => void;
}

/** Says what went wrong, what to do, and the id under which the service logged the request. */
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
            Request <code>{requestId}</code> <CopyButton text={requestId} what="the request id" />
          </span>
        )}
      </p>
    </div>
  );
}

/** Says what the user may do about an error. */
function adviceFor(error: Error): string {
  if (!(error instanceof PluginConfigError)) return '';
  if (error.code === 'unreachable' || error.code === 'timed_out') {
    return 'The service does not answer. Check your connection; what you entered stays here.';
  }
  if (error.code === 'permission_denied') return 'Sign in with a key that may do this.';
  if (error.code === 'throttled') return 'Wait a moment, then try again.';
  if (error.type !== 'server_error') return '';
  return 'Try again in a moment. If it happens again, tell the operator the request id.';
}
