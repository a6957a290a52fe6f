import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { SignIn } from '../sign-in/sign-in.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { readSession, SESSION_KEY, SignedIn, type SessionState } from './session.ts';

/** How soon a revoked key or an ended session is noticed. */
const CHECK_MS = 10_000;

/** Shows the console if a user is signed in, otherwise the sign-in form at the same address. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: async () => readSession(queries.getQueryData<SessionState>(SESSION_KEY)),
    refetchInterval: CHECK_MS,
    // A session lasts while a page is open, even if hidden.
    refetchIntervalInBackground: true,
  });
  if (data?.key != null) return <SignedIn value={data.key}>{children}</SignedIn>;
  if (data !== undefined) return <SignIn reason={data.reason} />;
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  return <Loading what="your session" />;
}
