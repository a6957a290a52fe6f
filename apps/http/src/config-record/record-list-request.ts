import { recordListQuery } from '@plugin-config/contract';
import type { PageRequest, RecordFilter } from '@plugin-config/domain';
import { queryOf } from '@plugin-config/service';
import type { FastifyRequest } from 'fastify';
import { otherParameters } from '../answers/page-links.ts';
import { checked } from '../requests/checked.ts';

export interface RecordListRequest {
  readonly filter: RecordFilter;
  readonly page: PageRequest;
  /** The parameters beside the page's own, encoded. */
  readonly parameters: string;
}

const REMEMBERED_MAX = 500;
const REMEMBERED_LENGTH_MAX = 200;

/** Few queries are asked again and again: what they mean is remembered. */
export function recordListRequests(): (request: FastifyRequest) => RecordListRequest {
  const plain = readQuery({}, '');
  const remembered = new Map<string, RecordListRequest>();
  return ({ url, query }) => {
    const text = queryOf(url);
    if (text === '') return plain;
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const read = readQuery(query, text);
    if (text.length <= REMEMBERED_LENGTH_MAX) {
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(text, read);
    }
    return read;
  };
}

function readQuery(query: unknown, text: string): RecordListRequest {
  const { limit, offset, ...filter } = checked(recordListQuery, query);
  return { filter, page: { limit, offset }, parameters: otherParameters(text) };
}
