/** The address of a service without slashes at its end. */
export function baseOf(url: string): string {
  if (/^https?:\/\//i.test(url)) return url.replace(/\/+$/, '');
  throw new TypeError(`The url must begin with http:// or https://. It is ${JSON.stringify(url)}.`);
}
