/** Returns the headers that a browser sends with requests of a page of the service. */
export function ownPage(url: string): Readonly<Record<string, string>> {
  return { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' };
}
