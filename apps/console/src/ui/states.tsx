import { PluginConfigError } from '@plugin-config/client';
import { useQueryClient } from '@tanstack/react-query';
import { BookOpen, CircleAlert, LoaderCircle, RotateCw, type LucideIcon } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { SESSION_KEY } from '../session/session.ts';
import { errorText, isNotFound, isSessionEnd } from './error-text.ts';
import { GUIDES, guideUrl, type Guide } from './guides.ts';
import { CopyButton } from './texts.tsx';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="loading with-icon hint" role="status">
      <LoaderCircle />
      Loading {what}…
    </p>
  );
}

interface EmptyProperties {
  readonly icon: LucideIcon;
  readonly title: string;
  /** Where to read more. */
  readonly guide?: Guide;
  readonly children?: ReactNode;
}

/** An empty state. It says what the screen is for, and shows the command or button for the next step. */
export function Empty({ icon: Icon, title, guide, children }: EmptyProperties) {
  return (
    <section className="empty">
      <Icon />
      <h2>{title}</h2>
      {children}
      {guide !== undefined && (
        <a className="with-icon" href={guideUrl(guide)} target="_blank" rel="noreferrer">
          <BookOpen />
          Read {GUIDES[guide]}
        </a>
      )}
    </section>
  );
}

interface ErrorProperties {
  /** Hidden if it is null. */
  readonly error: Error | null;
  readonly retry?: () => unknown;
}

/** Shows what went wrong, what to do about it, and the id under which the request was logged. */
export function ErrorNote({ error, retry }: ErrorProperties) {
  const queries = useQueryClient();
  const isEnd = isSessionEnd(error);
  useEffect(() => {
    // Leads to the sign-in. Streams and downloads are no queries, whose errors do this.
    if (isEnd) void queries.invalidateQueries({ queryKey: SESSION_KEY });
  }, [queries, isEnd]);
  if (error === null) return null;
  const requestId = error instanceof PluginConfigError ? error.requestId : null;
  return (
    <div role="alert" className="note bad">
      <CircleAlert />
      <div>
        <p>
          <strong>{errorText(error)}</strong> {adviceFor(error)}
        </p>
        <p className="actions">
          {retry !== undefined && !isNotFound(error) && (
            <button type="button" className="small" onClick={() => retry()}>
              <RotateCw />
              Try again
            </button>
          )}
          {requestId !== null && (
            <span className="hint">
              Request ID <code>{requestId}</code> <CopyButton text={requestId} what="request ID" />
            </span>
          )}
        </p>
      </div>
    </div>
  );
}

/** Returns what the user can do about an error. */
function adviceFor(error: Error): string {
  if (!(error instanceof PluginConfigError)) return '';
  if (error.code === 'unreachable' || error.code === 'timed_out') {
    return 'Could not reach the service. Check your connection; your input is kept.';
  }
  if (error.code === 'permission_denied') return 'Ask an administrator for access.';
  if (error.code === 'throttled') return 'Wait a moment, then try again.';
  if (error.type !== 'server_error') return '';
  return 'Try again in a moment. If the problem persists, send the request ID to your operator.';
}
