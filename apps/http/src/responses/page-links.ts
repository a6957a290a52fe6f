import type { Page, PageRequest } from '@plugin-config/domain';
import { pathOf, queryOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { BaseUrl } from '../requests/base-url.ts';

/** The address of a list without what names a page. */
export interface ListAddress {
  readonly base: string;
  /** The other parameters, encoded. */
  readonly parameters: string;
}

export interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
}

/** The address of the requested list, with the host that the caller used. */
export function listAddress(baseUrl: BaseUrl, request: FastifyRequest): ListAddress {
  const { url } = request;
  return { base: baseUrl(request) + pathOf(url), parameters: otherParameters(queryOf(url)) };
}

/** Makes the links to both neighbours. The next page begins where this one ends, which may be before its limit. */
export function pageLinks(
  address: ListAddress,
  { limit, offset }: PageRequest,
  { count, items }: Page<unknown>,
): PageLinks {
  const end = offset + items.length;
  return {
    next: items.length > 0 && end < count ? pageAddress(address, { limit, offset: end }) : null,
    previous: offset > 0 ? pageAddress(address, { limit, offset: Math.max(0, offset - limit) }) : null,
  };
}

/** The page as a response has it: the links to both neighbours, and each item as `present` shows it. */
export function pageBody<T, Shown>(
  address: ListAddress,
  page: PageRequest,
  found: Page<T>,
  present: (item: T) => Shown,
) {
  return { count: found.count, ...pageLinks(address, page, found), results: found.items.map(present) };
}

/** Makes the link to the next page of changes. It begins after a cursor, so that later changes shift nothing. */
export function changedLinks(
  { base, parameters }: ListAddress,
  { limit }: PageRequest,
  next: string | null,
): PageLinks {
  if (next === null) return { next, previous: null };
  const others = new URLSearchParams(parameters);
  others.set('changed_since', next);
  const address = { base, parameters: others.toString() };
  return { next: pageAddress(address, { limit, offset: 0 }), previous: null };
}

const OF_PAGE = new Set(['limit', 'offset', 'around']);

/** The parameters of a query without those that name a page, and without empty ones. */
function otherParameters(query: string): string {
  const parameters = new URLSearchParams(query);
  return new URLSearchParams(
    [...parameters].filter(([name, value]) => value !== '' && !OF_PAGE.has(name)),
  ).toString();
}

function pageAddress({ base, parameters }: ListAddress, { limit, offset }: PageRequest): string {
  const start = offset === 0 ? '' : `&offset=${offset}`;
  return `${base}?${parameters === '' ? '' : `${parameters}&`}limit=${limit}${start}`;
}
