/** Formats a time for a `datetime-local` input; empty if it is invalid. */
export function localTimeOf(moment: string): string {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return '';
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, -1).replace(/(?::00)?\.000$/, '');
}

/** Parses the value of a `datetime-local` input; empty if it is invalid. */
export function momentOf(localTime: string): string {
  const at = Date.parse(localTime);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
