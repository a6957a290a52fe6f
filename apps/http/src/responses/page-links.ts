import type { Page, PageRequest } from '@plugin-config/domain';
import { pathOf, queryOf, sendRead } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BaseUrl } from '../requests/base-url.ts';

/** The address of a list without the parameters of a page. */
export interface ListAddress {
  readonly base: string;
  /** The remaining query string. */
  readonly parameters: string;
}

export interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
}

/** Returns the address of the requested list, with the host the caller used. */
export function listAddress(baseUrl: BaseUrl, request: FastifyRequest): ListAddress {
  const { url } = request;
  return { base: baseUrl(request) + pathOf(url), parameters: otherParameters(queryOf(url)) };
}

/** Creates the links to the next and the previous page. A page can end before its limit; the next one starts where it ends. */
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

/** Sends one page of a list. */
export async function sendPage<T>(
  {
    reply,
    baseUrl,
    page,
  }: { readonly reply: FastifyReply; readonly baseUrl: BaseUrl; readonly page: PageRequest },
  found: Page<T>,
  present: (item: T) => unknown,
): Promise<void> {
  await sendRead(reply, pageBody(listAddress(baseUrl, reply.request), page, found, present));
}

export function pageBody<T, Shown>(
  address: ListAddress,
  page: PageRequest,
  found: Page<T>,
  present: (item: T) => Shown,
) {
  return { count: found.count, ...pageLinks(address, page, found), results: found.items.map(present) };
}

/** Creates the link to the next page. It contains a cursor as this parameter, so later changes do not shift the page. */
export function cursorLinks(
  { base, parameters }: ListAddress,
  name: 'changed_since' | 'after',
  { limit }: Pick<PageRequest, 'limit'>,
  next: string | null,
): PageLinks {
  if (next === null) return { next, previous: null };
  const query = new URLSearchParams(parameters);
  query.set(name, next);
  const address = { base, parameters: query.toString() };
  return { next: pageAddress(address, { limit, offset: 0 }), previous: null };
}

const PAGE_PARAMETERS = new Set(['limit', 'offset', 'around']);

/** Removes empty parameters and page parameters. */
function otherParameters(query: string): string {
  const parameters = new URLSearchParams(query);
  return new URLSearchParams(
    [...parameters].filter(([name, value]) => value !== '' && !PAGE_PARAMETERS.has(name)),
  ).toString();
}

function pageAddress({ base, parameters }: ListAddress, { limit, offset }: PageRequest): string {
  const start = offset === 0 ? '' : `&offset=${offset}`;
  return `${base}?${parameters === '' ? '' : `${parameters}&`}limit=${limit}${start}`;
}
