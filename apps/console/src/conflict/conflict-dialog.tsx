import type { ConfigRecord } from '@plugin-config/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conflict } from '../editing/use-save.ts';
import { recordKey } from '../live/use-family.ts';
import { ENTRY, type Changes } from '../record/changes.ts';
import { pluginInfoOf } from '../record/plugin-info.ts';
import { useRecord } from '../record/use-record.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { Time } from '../ui/time.tsx';
import { DifferenceRow, type Side } from './difference-row.tsx';
import { differencesOf, keptChanges, type Difference } from './merge.ts';
import { readTheirChanges } from './their-changes.ts';
import './conflict.css';

interface Properties {
  readonly at: RecordRef;
  readonly conflict: Conflict;
  readonly isSaving: boolean;
  /** Called with the record that the user saw, and the changes to make to it. */
  readonly onMerge: (theirs: ConfigRecord, kept: Changes) => void;
  readonly onDiscard: () => void;
  readonly onClose: () => void;
}

/** A choice for a field. It is valid only while their value is still the one that the user saw. */
interface Choice {
  readonly side: Side;
  readonly seen: string;
}

/** Shows both sets of changes and merges them. Follows the record while it is open. */
export function ConflictDialog({ at, conflict, isSaving, onMerge, onDiscard, onClose }: Properties) {
  const { base, mine } = conflict;
  const record = useRecord(at);
  const theirs = record.data ?? base;
  const theirChanges = useQuery({
    queryKey: [...recordKey(at), 'their-changes', base.updated_at],
    queryFn: async ({ signal }) => readTheirChanges(at, base, signal),
  });
  const [openedAt] = useState(theirs.updated_at);
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map());
  const title = 'Someone else changed this record';
  if (theirChanges.data === undefined) {
    return (
      <Dialog title={title} onClose={onClose}>
        {theirChanges.error === null ? (
          <Loading what="changes" />
        ) : (
          <ErrorNote error={theirChanges.error} retry={() => void theirChanges.refetch()} />
        )}
        <p className="actions">
          <button type="button" onClick={onClose}>
            Keep editing
          </button>
        </p>
      </Dialog>
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
  const labels = labelsOf(theirs);
  const failure = record.error ?? theirChanges.error;
  return (
    <Dialog title={title} onClose={onClose}>
      {last !== null && (
        <p>
          Last changed by <ActorName actor={last.actor} />, <Time at={last.created_at} />.
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
            label={labels.get(difference.field) ?? difference.field}
            difference={difference}
            chosen={chosenIn(difference)}
            onChoose={(side) =>
              setChoices(new Map([...choices, [difference.field, { side, seen: seenOf(difference) }]]))
            }
          />
        ))}
      </div>
      {failure !== null && <ErrorNote error={failure} />}
      <p className="actions">
        <button
          type="button"
          className="primary"
          disabled={unresolved.length > 0 || isSaving || isReading}
          onClick={() => {
            const byField = new Map(differences.map((one) => [one.field, chosenIn(one)]));
            onMerge(
              theirs,
              keptChanges(differences, (field) => byField.get(field) === 'mine'),
            );
          }}
        >
          {isSaving ? 'Saving…' : 'Merge and save'}
        </button>
        <button type="button" disabled={isSaving} onClick={onDiscard}>
          Discard my changes
        </button>
        <button
          type="button"
          disabled={isSaving || isReading}
          onClick={() => {
            void record.refetch();
            void theirChanges.refetch();
          }}
        >
          Reload
        </button>
        <button type="button" onClick={onClose}>
          Keep editing
        </button>
      </p>
    </Dialog>
  );
}

function countOf(fields: number): string {
  return fields === 1 ? 'one field' : `${fields} fields`;
}

const LABELS = [
  ['name', 'Name'],
  ['description', 'Description'],
  ['enabled', 'Enabled'],
  ['deleted', 'Deleted'],
  ['order', 'Position'],
  ['plugin', 'Plugin'],
] as const;

function labelsOf(record: ConfigRecord): ReadonlyMap<string, string> {
  const schema = pluginInfoOf(record)?.config_schema ?? [];
  return new Map([...LABELS, ...schema.map(({ key, name }) => [ENTRY + key, name ?? key] as const)]);
}
