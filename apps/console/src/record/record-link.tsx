import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { knownFamily, recordKey, recordsOf } from '../live/use-family.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';
import { recordName } from './plugin-info.ts';

/** Records are rarely renamed. */
const NAME_STALE_MS = 60_000;

interface Properties {
  readonly at: RecordRef;
  /** Read if absent. */
  readonly name?: string | undefined;
  /** Appended to the address of the record. */
  readonly screen?: string;
}

/** Links to a record by its name. */
export function RecordLink({ at, name, screen = '' }: Properties) {
  const known = knownFamily(useQueryClient(), at)?.records.find(({ id }) => id === at.id);
  const { data = known } = useRead(recordKey(at), async (options) => recordsOf(at).retrieve(at.id, options), {
    enabled: name === undefined,
    staleTime: NAME_STALE_MS,
    structuralSharing: false,
  });
  return (
    <Link href={recordPath(at) + screen}>
      <bdi>{name ?? (data === undefined ? `Record ${at.id}` : recordName(data))}</bdi>
    </Link>
  );
}
