/** A moment as a field for local times shows it; empty if it is none. */
export function localTimeOf(moment: string): string {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return '';
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, -1).replace(/(?::00)?\.000$/, '');
}

/** The moment of a field for local times; empty if it has none. */
export function momentOf(localTime: string): string {
  const at = Date.parse(localTime);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
