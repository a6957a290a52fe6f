import type { RecordListQuery, WireConfigRecordPage } from '@plugin-config/contract';
import {
  ALL_RECORDS,
  familyCursorText,
  DomainError,
  parseFamilyCursor,
  type ChangedPage,
  type ConfigRecordStore,
  type FamilyCursor,
  type FamilyRef,
  type PageRequest,
} from '@plugin-config/domain';
import { changedLinks, pageLinks, type ListAddress, type PageLinks } from '../answers/page-links.ts';
import { presentRecord } from './present-record.ts';

interface ReadList {
  readonly freshness: number;
  readonly familyVersion: number;
  readonly shown: WireConfigRecordPage;
  /** The cursor after the list. */
  readonly cursor: FamilyCursor;
}

/** Reads the requested page of all records, or of those that have changed. */
export async function readList(
  records: Pick<ConfigRecordStore, 'list' | 'listChanged'>,
  family: FamilyRef,
  { limit, offset, changed_since: since, ...filter }: RecordListQuery,
  address: ListAddress,
): Promise<ReadList> {
  const page = { limit, offset };
  if (since !== null) return readChanged(records, family, { since, filter, page, address });
  const { revision, freshness, value } = await records.list(
    family,
    { ...filter, deleted: filter.deleted ?? false },
    page,
  );
  const shown = pageOf(value, pageLinks(address, page, value));
  return { freshness, familyVersion: value.familyVersion, shown, cursor: { revision, id: ALL_RECORDS } };
}

interface ChangedRequest {
  readonly since: string;
  readonly filter: Omit<RecordListQuery, 'limit' | 'offset' | 'changed_since'>;
  readonly page: PageRequest;
  readonly address: ListAddress;
}

async function readChanged(
  records: Pick<ConfigRecordStore, 'listChanged'>,
  family: FamilyRef,
  { since: text, filter, page, address }: ChangedRequest,
): Promise<ReadList> {
  const since = parseFamilyCursor(text);
  if (since === null) throw unknownVersion();
  const { revision, freshness, value } = await records.listChanged(family, since, filter, page);
  if (since.revision > revision) throw unknownVersion();
  const isLast = page.offset + value.items.length >= value.count;
  const next = isLast || value.items.length === 0 ? null : familyCursorText(value.cursor);
  const shown = pageOf(value, changedLinks(address, page, next));
  return { freshness, familyVersion: value.familyVersion, shown, cursor: value.cursor };
}

function pageOf(
  { count, items }: Pick<ChangedPage, 'count' | 'items'>,
  links: PageLinks,
): WireConfigRecordPage {
  return { count, ...links, results: items.map(presentRecord) };
}

/** A caller with a version of the future has records that no longer exist: the database was restored. */
function unknownVersion(): DomainError {
  const detail = 'The family has not reached this version. Read the whole list anew, without changed_since.';
  return new DomainError('invalid_input', detail, { attr: 'changed_since' });
}
