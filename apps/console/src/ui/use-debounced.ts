import { useEffect, useState } from 'react';

/** How long somebody pauses between words. */
const PAUSE_MS = 250;

/** Returns the value once it has not changed for a moment, which saves a request for each key press. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
