import type { ConfigRecord, RecordChange } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { deletedKey, readFamilyNow, recordsOf } from '../live/use-family.ts';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { useMayWrite } from '../session/session.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { Listing } from '../ui/listing.tsx';
import { notify } from '../ui/notices.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useListing } from '../ui/use-listing.ts';
import type { Filters } from './filters.ts';

interface Properties {
  readonly at: FamilyRef;
  readonly filters: Filters;
}

type Change = readonly [record: ConfigRecord, changes: RecordChange];

/** The deleted records of a family, which can be restored. */
export function DeletedRecords({ at, filters: { plugin, search } }: Properties) {
  const mayWrite = useMayWrite();
  const queries = useQueryClient();
  const filter = { deleted: true, plugin: plugin ?? undefined, search: search || undefined };
  const list = useListing<ConfigRecord>([...deletedKey(at), filter], async (range, options) =>
    recordsOf(at)
      .list({ ...range, ...filter }, options)
      .page(),
  );
  const change = useMutation({
    mutationFn: async ([record, changes]: Change) => {
      await recordsOf(at).update(record.id, () => changes);
      await Promise.all([
        queries.invalidateQueries({ queryKey: deletedKey(at) }),
        readFamilyNow(queries, at),
      ]);
    },
    onSuccess: (_, [record, { deleted, enabled }]) => {
      const name = recordName(record);
      if (deleted === true) notify(`${name} was deleted again.`);
      else if (enabled === true) notify(`${name} was enabled.`);
      else {
        notify(`${name} was restored at position ${record.order}. It is disabled.`, {
          Enable: () => change.mutate([record, { enabled: true }]),
          Undo: () => change.mutate([record, { deleted: true }]),
        });
      }
    },
    // Also as a notice, since another record or page may be shown by now.
    onError: (error, [record]) => notify(`${recordName(record)} could not be changed. ${error.message}`),
  });
  return (
    <>
      <ErrorNote error={change.error} retry={() => change.variables && change.mutate(change.variables)} />
      <Listing list={list} what="deleted records" empty={<Empty title="No deleted records" />}>
        {(record) => (
          <>
            <Link href={recordPath({ ...at, id: record.id })}>{recordName(record)}</Link>
            <span className="hint">
              {pluginName(record)}, changed <Time at={record.updated_at} />
            </span>
            {mayWrite && (
              <button
                type="button"
                className="small"
                aria-label={`Restore ${recordName(record)}`}
                onClick={() => change.mutate([record, { deleted: false }])}
              >
                Restore
              </button>
            )}
          </>
        )}
      </Listing>
    </>
  );
}
