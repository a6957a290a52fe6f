/** Headers with which a browser identifies the page behind a request. Pages cannot set them. */
export interface RequestOrigin {
  /** Whether the request is a GET or HEAD. */
  readonly isRead: boolean;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`. Browsers send it only to origins that can set `Secure` cookies. */
  readonly site: string | undefined;
  /** `Sec-Fetch-Mode` */
  readonly mode: string | undefined;
}

export interface OwnOrigin {
  readonly origin: string;
  /** Whether browsers accept `Secure` cookies from it. */
  readonly isSecure: boolean;
}

/**
 * Whether a request comes from a page of the service or, for reads, from the address bar. A write must have the
 * service as its `Origin`.
 */
export function isFromOwnPage({ isRead, origin, site, mode }: RequestOrigin, own: OwnOrigin): boolean {
  if (origin === undefined ? !isRead : origin !== own.origin) return false;
  if (site === undefined) return !own.isSecure;
  return site === 'same-origin' || (site === 'none' && isRead && mode === 'navigate');
}

const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

interface OwnAddress {
  readonly origin: string;
  readonly protocol: string;
  readonly hostname: string;
}

/**
 * Returns the origin of an address. Browsers accept `Secure` cookies over HTTPS and from the loopback
 * interface.
 */
export function ownOriginOf({ origin, protocol, hostname }: OwnAddress): OwnOrigin {
  return { origin, isSecure: protocol === 'https:' || LOOPBACK.test(hostname) };
}
