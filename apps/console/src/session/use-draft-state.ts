import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { SESSION_KEY, useKey, type SessionState } from './session.ts';

/** Input that was lost when a session ended, by key and address. Kept only in memory. */
const interrupted = new Map<string, unknown>();

/**
 * The state of the form at this address. It survives the end of a session if the user signs in again with the same
 * key, but not signing out or leaving the form.
 * @param hasInput whether the state contains input worth keeping
 */
export function useDraftState<T>(
  initial: () => T,
  hasInput: (state: T) => boolean,
): readonly [T, Dispatch<SetStateAction<T>>] {
  const queries = useQueryClient();
  const place = `${useKey().id} ${location.pathname}`;
  const [state, setState] = useState<T>(() => (interrupted.get(place) as T | undefined) ?? initial());
  const isWorthKeeping = hasInput(state);
  // Discards input from another key or address.
  useEffect(() => interrupted.clear(), []);
  useEffect(
    () => () => {
      const session = queries.getQueryData<SessionState>(SESSION_KEY);
      const hasEnded = session?.key === null && session.reason !== null;
      if (hasEnded && isWorthKeeping) interrupted.set(place, state);
    },
    [queries, place, state, isWorthKeeping],
  );
  return [state, setState];
}
