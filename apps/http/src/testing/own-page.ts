/** The headers with which a browser sends a request of a page of the service itself. */
export function ownPage(url: string): Readonly<Record<string, string>> {
  return { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' };
}
