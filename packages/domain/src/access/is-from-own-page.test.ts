import { expect, test } from 'vitest';
import { isFromOwnPage, ownOriginOf, type RequestOrigin } from './is-from-own-page.ts';

const OWN = 'https://plugins.example.com';
const SECURE = { origin: OWN, isSecure: true };
const PLAIN = { origin: 'http://10.0.0.5:8000', isSecure: false };
const NOTHING: RequestOrigin = { isRead: true, origin: undefined, site: undefined, mode: undefined };
const WRITE = { ...NOTHING, isRead: false };

const COUNTS: Readonly<Record<string, RequestOrigin>> = {
  'a read from a page': { ...NOTHING, site: 'same-origin', mode: 'cors' },
  'a read from a page, with its origin': { ...NOTHING, site: 'same-origin', origin: OWN },
  'a typed address': { ...NOTHING, site: 'none', mode: 'navigate' },
  'a write from a page': { ...WRITE, site: 'same-origin', origin: OWN },
};

test.for(Object.entries(COUNTS))('%s is accepted', ([, request]) => {
  expect(isFromOwnPage(request, SECURE)).toBe(true);
});

const DOES_NOT_COUNT: Readonly<Record<string, RequestOrigin>> = {
  'a read from another site': { ...NOTHING, site: 'cross-site', mode: 'no-cors' },
  'a read from a sibling domain': { ...NOTHING, site: 'same-site', mode: 'cors' },
  'a link on another site': { ...NOTHING, site: 'cross-site', mode: 'navigate' },
  'a read from a program': NOTHING,
  'a read without a page that is not a navigation': { ...NOTHING, site: 'none', mode: 'no-cors' },
  'a read that claims the same site with another origin': {
    ...NOTHING,
    site: 'same-origin',
    origin: 'https://a.test',
  },
  'an invalid Sec-Fetch-Site': { ...NOTHING, site: 'same-origin, same-origin' },
  'a write without an origin': { ...WRITE, site: 'same-origin' },
  'a write from a page with an opaque origin': { ...WRITE, site: 'same-origin', origin: 'null' },
  'a write from another port': { ...WRITE, site: 'same-site', origin: `${OWN}:444` },
  'a write from plain HTTP': { ...WRITE, site: 'cross-site', origin: 'http://plugins.example.com' },
  'a write from another site': { ...WRITE, site: 'cross-site', origin: OWN },
  'a write from a program': { ...WRITE, origin: OWN },
  'a write from the address bar': { ...WRITE, site: 'none', mode: 'navigate', origin: OWN },
};

test.for(Object.entries(DOES_NOT_COUNT))('%s is rejected', ([, request]) => {
  expect(isFromOwnPage(request, SECURE)).toBe(false);
});

test('over plain HTTP, browsers send only the origin, which must be our own', () => {
  expect(isFromOwnPage(NOTHING, PLAIN)).toBe(true);
  expect(isFromOwnPage({ ...WRITE, origin: PLAIN.origin }, PLAIN)).toBe(true);
  expect(isFromOwnPage({ ...NOTHING, origin: 'http://10.0.0.5:9000' }, PLAIN)).toBe(false);
  expect(isFromOwnPage({ ...WRITE, origin: 'http://10.0.0.5:9000' }, PLAIN)).toBe(false);
  expect(isFromOwnPage({ ...WRITE, origin: PLAIN.origin, site: 'cross-site' }, PLAIN)).toBe(false);
  expect(isFromOwnPage(WRITE, PLAIN)).toBe(false);
});

test.for([
  ['https:', 'plugins.example.com', true],
  ['http:', 'localhost', true],
  ['http:', 'app.localhost', true],
  ['http:', '127.0.0.1', true],
  ['http:', '[::1]', true],
  ['http:', 'plugins.example.com', false],
  ['http:', 'localhost.example.com', false],
  ['http:', '127.0.0.1.example.com', false],
  ['http:', '10.0.0.5', false],
] as const)('%s//%s accepts Secure cookies: %s', ([protocol, hostname, isSecure]) => {
  const origin = `${protocol}//${hostname}:8000`;
  expect(ownOriginOf({ origin, protocol, hostname })).toEqual({ origin, isSecure });
});
