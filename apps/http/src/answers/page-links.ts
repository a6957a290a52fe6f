import type { Page, PageRequest } from '@plugin-config/domain';

/** Where a list is found: everything but the part of it that is asked for. */
export interface ListAddress {
  readonly base: string;
  /** The other parameters, encoded. */
  readonly parameters: string;
}

export interface PageLinks {
  readonly next: string | null;
  readonly previous: string | null;
}

/** The next page begins where this one ends, which may be before its limit. */
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

/** The parameters of a query but for the page's own; those without a value count as not given. */
export function otherParameters(query: string): string {
  const parameters = new URLSearchParams(query);
  return new URLSearchParams(
    [...parameters].filter(([name, value]) => value !== '' && name !== 'limit' && name !== 'offset'),
  ).toString();
}

function pageAddress({ base, parameters }: ListAddress, { limit, offset }: PageRequest): string {
  const start = offset === 0 ? '' : `&offset=${offset}`;
  return `${base}?${parameters === '' ? '' : `${parameters}&`}limit=${limit}${start}`;
}
