/** The service truncates longer errors. */
export const ERROR_MAX = 10_000;

/** Truncates a text or the message of an error, and removes what PostgreSQL cannot store, because the service would reject it. */
export function storable(text: unknown, max: number): string {
  return String(text instanceof Error ? text.message : text)
    .slice(0, max)
    .replaceAll('\0', '')
    .toWellFormed();
}
