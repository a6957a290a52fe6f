import type { ConfigRecord } from '@plugin-config/client';
import { useState } from 'react';
import type { Conflict, Save } from '../editing/use-save.ts';
import { ActorName } from '../history/actor-name.tsx';
import { recordKey } from '../live/use-family.ts';
import { ENTRY, FIELD_LABELS, type Changes } from '../record/changes.ts';
import { pluginInfoOf } from '../record/plugin-info.ts';
import { useRecord } from '../record/use-record.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useRead } from '../ui/queries.tsx';
import { ErrorNote, Loading } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import { DifferenceRow, type Side } from './difference-row.tsx';
import { differencesOf, keptChanges, type Difference } from './merge.ts';
import { readTheirChanges } from './their-changes.ts';

interface Properties {
  readonly at: RecordRef;
  readonly save: Save;
  /** Called with the record that the user saw, and the changes to make to it. */
  readonly onMerge: (theirs: ConfigRecord, kept: Changes) => void;
  readonly onDiscard: () => void;
}

/** A choice for a field. It is valid only while their value is still the one that the user saw. */
interface Choice {
  readonly side: Side;
  readonly seen: string;
}

/** Shown while a save conflicts with someone else's changes. */
export function ConflictDialog({ save, ...properties }: Properties) {
  if (save.conflict === null) return null;
  return (
    <Dialog title="Someone else changed this record" onClose={save.dismiss}>
      <Merge {...properties} save={save} conflict={save.conflict} />
    </Dialog>
  );
}

/** Shows both sets of changes and merges them. Follows the record while it is open. */
function Merge({ at, save, conflict, onMerge, onDiscard }: Properties & { readonly conflict: Conflict }) {
  const { base, mine } = conflict;
  const record = useRecord(at);
  const theirs = record.data ?? base;
  const theirChanges = useRead([...recordKey(at), 'their-changes', base.updated_at], async (options) =>
    readTheirChanges(at, base, options),
  );
  const [openedAt] = useState(theirs.updated_at);
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const error = record.error ?? theirChanges.error;
  const keepEditing = (
    <button type="button" onClick={save.dismiss}>
      Keep editing
    </button>
  );
  if (theirChanges.data === undefined) {
    return (
      <>
        {error === null && <Loading what="changes" />}
        <ErrorNote error={error} retry={theirChanges.refetch} />
        <p className="actions">{keepEditing}</p>
      </>
    );
  }
  const { last, isTouched } = theirChanges.data;
  const differences = differencesOf({ base, theirs, mine, isTouched });
  const seenOf = (difference: Difference): string =>
    JSON.stringify('secret' in difference.theirs ? [difference.theirs, last?.id] : difference.theirs);
  const chosenIn = (difference: Difference): Side | null => {
    const choice = choices.get(difference.field);
    return choice !== undefined && choice.seen === seenOf(difference) ? choice.side : null;
  };
  const unresolved = differences.filter((one) => one.needsChoice && chosenIn(one) === null);
  const isReading = record.isFetching || theirChanges.isFetching;
  return (
    <>
      {last !== null && (
        <p>
          Last changed by <ActorName actor={last.actor} projectId={at.projectId} />,{' '}
          <Time at={last.created_at} />.
        </p>
      )}
      <p role="status">
        {theirs.updated_at !== openedAt &&
          'The record changed again while this was open. Choices for the affected fields were reset. '}
        {unresolved.length > 0
          ? `You both changed ${countOf(unresolved.length)}. Choose what to keep.`
          : 'Merging keeps both sets of changes.'}
      </p>
      <div className="differences">
        {differences.map((difference) => (
          <DifferenceRow
            key={difference.field}
            label={labelOf(difference.field, theirs)}
            difference={difference}
            chosen={chosenIn(difference)}
            onChoose={(side) =>
              setChoices(new Map([...choices, [difference.field, { side, seen: seenOf(difference) }]]))
            }
          />
        ))}
      </div>
      <ErrorNote error={error} />
      <p className="actions">
        <button
          type="button"
          className="primary"
          disabled={unresolved.length > 0 || save.isPending || isReading}
          onClick={() =>
            onMerge(
              theirs,
              keptChanges(differences, (one) => chosenIn(one) === 'mine'),
            )
          }
        >
          {save.isPending ? 'Saving…' : 'Merge and save'}
        </button>
        <button type="button" disabled={save.isPending} onClick={onDiscard}>
          Discard my changes
        </button>
        {keepEditing}
      </p>
    </>
  );
}

const countOf = (fields: number): string => (fields === 1 ? 'one field' : `${fields} fields`);

function labelOf(field: string, record: ConfigRecord): string {
  const { name } = pluginInfoOf(record)?.config_schema?.find(({ key }) => ENTRY + key === field) ?? {};
  return name ?? FIELD_LABELS[field] ?? field;
}
