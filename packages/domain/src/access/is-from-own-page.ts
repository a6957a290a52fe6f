/** What a browser tells of the page that a request comes from: a page cannot write these headers. */
export interface RequestOrigin {
  /** True if the request is a GET or HEAD. */
  readonly isRead: boolean;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`. Browsers send it only where they take `Secure` cookies. */
  readonly site: string | undefined;
  /** `Sec-Fetch-Mode` */
  readonly mode: string | undefined;
}

/** The origin of the service, as the browser knows it. */
export interface OwnOrigin {
  readonly origin: string;
  /** True if browsers take `Secure` cookies from it. */
  readonly isSecure: boolean;
}

/**
 * Whether a request comes from a page of the service or, if it is a read, from the address bar. A write has to name the
 * service as its origin.
 */
export function isFromOwnPage({ isRead, origin, site, mode }: RequestOrigin, own: OwnOrigin): boolean {
  if (origin === undefined ? !isRead : origin !== own.origin) return false;
  if (site === undefined) return !own.isSecure;
  return site === 'same-origin' || (site === 'none' && isRead && mode === 'navigate');
}

const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An address, as `URL` parses it. */
interface OwnAddress {
  readonly origin: string;
  readonly protocol: string;
  readonly hostname: string;
}

/** The origin of an address. Browsers take `Secure` cookies over HTTPS, and from this machine. */
export function ownOriginOf({ origin, protocol, hostname }: OwnAddress): OwnOrigin {
  return { origin, isSecure: protocol === 'https:' || LOOPBACK.test(hostname) };
}
