import type { RecordListQuery, WireConfigRecordPage } from '@plugin-config/contract';
import {
  cursorAt,
  DomainError,
  familyCursorText,
  hasReached,
  parseFamilyCursor,
  type ChangedPage,
  type ConfigRecordStore,
  type FamilyCursor,
  type FamilyRef,
  type PageRequest,
} from '@plugin-config/domain';
import { changedLinks, pageLinks, type ListAddress, type PageLinks } from '../responses/page-links.ts';
import { presentRecord } from './present-record.ts';

interface ReadList {
  readonly cacheVersion: number;
  readonly listVersion: number;
  readonly shown: WireConfigRecordPage;
  /** The cursor after the list. */
  readonly cursor: FamilyCursor;
}

/** A family, and the timeline when the request was admitted. */
interface FamilyOnTimeline extends FamilyRef {
  readonly timelineId: string;
}

/** Reads the requested page of all records, or of the changed records. */
export async function readList(
  records: Pick<ConfigRecordStore, 'list' | 'listChanged'>,
  family: FamilyOnTimeline,
  { limit, offset, changed_since: since, ...filter }: RecordListQuery,
  address: ListAddress,
): Promise<ReadList> {
  const page = { limit, offset };
  if (since !== null) return readChanged(records, family, { since, filter, page, address });
  const listed = await records.list(family, { ...filter, deleted: filter.deleted ?? false }, page);
  const { cacheVersion, value } = listed;
  const shown = pageOf(value, pageLinks(address, page, value));
  return { cacheVersion, listVersion: value.listVersion, shown, cursor: cursorAt(listed) };
}

interface ChangedRequest {
  readonly since: string;
  readonly filter: Omit<RecordListQuery, 'limit' | 'offset' | 'changed_since'>;
  readonly page: PageRequest;
  readonly address: ListAddress;
}

async function readChanged(
  records: Pick<ConfigRecordStore, 'listChanged'>,
  family: FamilyOnTimeline,
  { since: text, filter, page, address }: ChangedRequest,
): Promise<ReadList> {
  const since = parseFamilyCursor(text);
  if (since === null) throw unknownVersion();
  const changed = await records.listChanged(family, since, filter, page);
  if (!hasReached(changed, since) || changed.value.isCursorInvalid) throw unknownVersion();
  const { cacheVersion, value } = changed;
  const cursor = { ...cursorAt(changed), ...value.end };
  const isLast = page.offset + value.items.length >= value.count;
  const next = isLast || value.items.length === 0 ? null : familyCursorText(cursor);
  const shown = pageOf(value, changedLinks(address, page, next));
  return { cacheVersion, listVersion: value.listVersion, shown, cursor };
}

function pageOf(
  { count, items }: Pick<ChangedPage, 'count' | 'items'>,
  links: PageLinks,
): WireConfigRecordPage {
  return { count, ...links, results: items.map(presentRecord) };
}

/**
 * A failover or a restored backup may have removed records that the caller has. Registering or removing a plugin may have changed how
 * records are shown.
 */
function unknownVersion(): DomainError {
  const detail =
    'The changes since this version are unknown: a plugin has changed, or the family never had this version. Read the whole list, without changed_since.';
  return new DomainError('invalid_input', detail, { attr: 'changed_since' });
}
