import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { SESSION_KEY, useKey, type SessionState } from './session.ts';

/** What was typed when a session ended, by the key and the address. It is in memory alone. */
const interrupted = new Map<string, unknown>();

/**
 * The state of the form at this address. If the session ends by itself, whoever signs in again with the same key finds it as
 * it was. Who signs out, or leaves the form, gives it up.
 *
 * @param isTyped whether the state has something that would be missed
 */
export function useTyped<T>(
  initial: () => T,
  isTyped: (state: T) => boolean,
): readonly [T, Dispatch<SetStateAction<T>>] {
  const queries = useQueryClient();
  const place = `${useKey().id} ${location.pathname}`;
  const [state, setState] = useState<T>(() => (interrupted.get(place) as T | undefined) ?? initial());
  const isWorthKeeping = isTyped(state);
  // What belongs to another key or address is not for this one.
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
