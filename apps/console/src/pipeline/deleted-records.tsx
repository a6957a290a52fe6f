import type { ConfigRecord, RecordChange } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { deletedKey, readFamilyNow, recordsOf } from '../live/use-family.ts';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { Empty } from '../ui/empty.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Listing } from '../ui/listing.tsx';
import { useNotify } from '../ui/notices.tsx';
import { Time } from '../ui/time.tsx';
import { useListing } from '../ui/use-listing.ts';
import type { Filters } from './filters.ts';
import { recordName, pluginName } from './names.ts';

interface Properties {
  readonly at: FamilyRef;
  readonly filters: Filters;
}

/** The deleted records of a family, which can be restored. */
export function DeletedRecords({ at, filters: { plugin, search } }: Properties) {
  const mayWrite = may(useKey(), 'plugin:write');
  const queries = useQueryClient();
  const notify = useNotify();
  const list = useListing<ConfigRecord>([...deletedKey(at), plugin, search], async (range, signal) =>
    recordsOf(at)
      .list({ ...range, deleted: true, plugin: plugin ?? undefined, search: search || undefined }, { signal })
      .page(),
  );
  const change = useMutation({
    mutationFn: async ({
      record,
      changes,
    }: {
      readonly record: ConfigRecord;
      readonly changes: RecordChange;
    }) => {
      await recordsOf(at).update(record.id, () => changes);
      await Promise.all([
        queries.invalidateQueries({ queryKey: deletedKey(at) }),
        readFamilyNow(queries, at),
      ]);
    },
    onSuccess: (_, { record, changes: { deleted, enabled } }) => {
      const name = recordName(record);
      if (deleted === true) notify(`${name} was deleted again.`);
      else if (enabled === true) notify(`${name} was enabled.`);
      else {
        notify(`${name} was restored at position ${record.order}. It is disabled.`, {
          Enable: () => change.mutate({ record, changes: { enabled: true } }),
          Undo: () => change.mutate({ record, changes: { deleted: true } }),
        });
      }
    },
    // Also as a notice, since another record or page may be shown by now.
    onError: (error, { record }) => notify(`${recordName(record)} could not be changed. ${error.message}`),
  });
  return (
    <>
      {change.error !== null && (
        <ErrorNote error={change.error} retry={() => change.mutate(change.variables)} />
      )}
      <Listing list={list} what="deleted records" empty={<Empty title="No deleted records" />}>
        {(records) => (
          <ul className="rows">
            {records.map((record) => (
              <li key={record.id}>
                <Link href={recordPath({ ...at, id: record.id })}>{recordName(record)}</Link>
                <span className="hint">
                  {pluginName(record)}, changed <Time at={record.updated_at} />
                </span>
                {mayWrite && (
                  <button
                    type="button"
                    className="small"
                    aria-label={`Restore ${recordName(record)}`}
                    onClick={() => change.mutate({ record, changes: { deleted: false } })}
                  >
                    Restore
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </>
  );
}
