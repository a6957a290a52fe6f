const SECONDS = /^\d{1,9}$/;
const DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns how long a `Retry-After` header asks to wait, in seconds or until a date; null if it asks for nothing. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (SECONDS.test(header)) return Number(header) * 1000;
  const until = DATE.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime());
}
