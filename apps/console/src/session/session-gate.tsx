import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SignIn } from '../sign-in/sign-in.tsx';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { readSession, SESSION_KEY, SignedIn, type SessionState } from './session.ts';

/** How soon a revoked key or an ended session is noticed. */
const CHECK_MS = 10_000;

/** Shows the console if a user is signed in, otherwise the sign-in form at the same address. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { data, error } = useRead(
    SESSION_KEY,
    async () => readSession(queries.getQueryData<SessionState>(SESSION_KEY)),
    // A session lasts while a page is open, even if hidden.
    { refetchInterval: CHECK_MS, refetchIntervalInBackground: true },
  );
  return (
    <QueryResult query={{ data, error: data === undefined ? error : null }} what="your session">
      {(session) =>
        session.key === null ? (
          <SignIn reason={session.reason} />
        ) : (
          <SignedIn value={session.key}>{children}</SignedIn>
        )
      }
    </QueryResult>
  );
}
