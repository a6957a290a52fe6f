import { PluginConfigError } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { CopyButton } from './texts.tsx';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="loading" role="status">
      Loading {what}…
    </p>
  );
}

/** An empty state that says what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <section className="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface ErrorProperties {
  /** Nothing is shown if it is null. */
  readonly error: Error | null;
  readonly retry?: () => unknown;
}

/** Shows what went wrong, what to do about it, and the id under which the request was logged. */
export function ErrorNote({ error, retry }: ErrorProperties) {
  if (error === null) return null;
  const { detail, requestId } =
    error instanceof PluginConfigError ? error : { detail: error.message, requestId: null };
  return (
    <div role="alert" className="error-note">
      <p>
        <strong>{detail}</strong> {adviceFor(error)}
      </p>
      <p className="actions">
        {retry !== undefined && (
          <button type="button" onClick={() => retry()}>
            Try again
          </button>
        )}
        {requestId !== null && (
          <span>
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
