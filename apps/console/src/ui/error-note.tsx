import { PluginConfigError } from '@plugin-config/client';
import { adviceFor } from './advice-for.ts';
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
