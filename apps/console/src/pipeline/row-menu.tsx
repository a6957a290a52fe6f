import type { ConfigRecord } from '@plugin-config/client';
import { ChartColumn, History, ScrollText, SlidersHorizontal, Trash2 } from 'lucide-react';
import { familyKey, recordsOf } from '../live/use-family.ts';
import { recordName } from '../record/plugin-info.ts';
import { recordPath, type FamilyRef } from '../shell/addresses.ts';
import { Menu, MenuItem, MenuLink } from '../ui/menu.tsx';
import { errorText } from '../ui/error-text.ts';
import { notify } from '../ui/notices.tsx';
import { useChange } from '../ui/queries.tsx';

/** The menu is shared by the buttons of all rows. */
export const ROW_MENU = 'row-menu';

interface Properties {
  readonly at: FamilyRef;
  /** The record whose row was used last. */
  readonly record: ConfigRecord | undefined;
}

/** Leads to the screens of a record, and deletes it. */
export function RowMenu({ at, record }: Properties) {
  const remove = useDeleting(at);
  const title = record === undefined ? 'Actions' : `Actions for ${recordName(record)}`;
  return (
    <Menu id={ROW_MENU} label={title}>
      {record !== undefined && (
        <>
          <Links path={recordPath({ ...at, id: record.id })} hasLog={at.family === 'plugin_configs'} />
          <hr />
          <MenuItem icon={Trash2} onSelect={() => remove(record)}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function Links({ path, hasLog }: { readonly path: string; readonly hasLog: boolean }) {
  return (
    <>
      <MenuLink icon={SlidersHorizontal} href={`${path}/configuration`}>
        Configuration
      </MenuLink>
      {hasLog && (
        <MenuLink icon={ScrollText} href={`${path}/logs`}>
          Log
        </MenuLink>
      )}
      {hasLog && (
        <MenuLink icon={ChartColumn} href={`${path}/deliveries`}>
          Deliveries
        </MenuLink>
      )}
      <MenuLink icon={History} href={`${path}/history`}>
        History
      </MenuLink>
    </>
  );
}

/** Deletes records, with undo. */
function useDeleting(at: FamilyRef): (record: ConfigRecord) => void {
  const change = useChange(
    async ({ id, enabled, deleted }: ConfigRecord) =>
      recordsOf(at).update(id, () => (deleted ? { deleted: false, enabled } : { deleted: true })),
    {
      affects: familyKey(at),
      onSuccess: (_, record) => {
        if (record.deleted) return;
        const undo = (): void => change.mutate({ ...record, deleted: true });
        notify(`${recordName(record)} was deleted.`, { Undo: undo });
      },
      // A notice, since the row may be out of sight.
      onError: (error, record) => notify(`${recordName(record)} could not be changed. ${errorText(error)}`),
    },
  );
  return change.mutate;
}
