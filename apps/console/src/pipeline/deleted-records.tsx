import type { ConfigRecord, RecordChange } from '@plugin-config/client';
import { Trash2, Undo2 } from 'lucide-react';
import { Link } from 'wouter';
import { familyKey, recordsOf, selectionsKey } from '../live/use-family.ts';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { useMayWrite } from '../session/session.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { errorText } from '../ui/error-text.ts';
import { notify } from '../ui/notices.tsx';
import { Listing, useChange, useListing } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import type { Filters } from './filters.ts';

interface Properties {
  readonly at: FamilyRef;
  readonly filters: Filters;
}

/** The deleted records of a family, which can be restored. */
export function DeletedRecords({ at, filters: { plugin, search } }: Properties) {
  const mayWrite = useMayWrite();
  const filter = { deleted: true, plugin: Number(plugin) || undefined, search: search || undefined };
  const list = useListing<ConfigRecord>([...selectionsKey(at), filter], async (range, options) =>
    recordsOf(at)
      .list({ ...range, ...filter }, options)
      .page(),
  );
  const change = useChange(
    async ([record, changes]: readonly [ConfigRecord, RecordChange]) =>
      recordsOf(at).update(record.id, () => changes),
    {
      affects: familyKey(at),
      onSuccess: ({ order }, [record, { enabled }]) => {
        const name = recordName(record);
        if (enabled === true) notify(`${name} was enabled.`);
        else {
          notify(`${name} was restored at position ${order}. It is disabled.`, {
            Enable: () => change.mutate([record, { enabled: true }]),
          });
        }
      },
      // Also as a notice, since another record or page may be shown by now.
      onError: (error, [record]) => notify(`${recordName(record)} could not be changed. ${errorText(error)}`),
    },
  );
  return (
    <>
      <ErrorNote error={change.error} retry={() => change.variables && change.mutate(change.variables)} />
      <Listing
        list={list}
        what="deleted records"
        empty={
          <Empty icon={Trash2} title="No deleted records">
            <p>Deleted records are kept, and can be restored here.</p>
          </Empty>
        }
      >
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
                <Undo2 />
                Restore
              </button>
            )}
          </>
        )}
      </Listing>
    </>
  );
}
