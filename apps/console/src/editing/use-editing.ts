import type { ConfigRecord } from '@plugin-config/client';
import { useEffect, useRef } from 'react';
import type { Changes } from '../record/changes.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { notify } from '../ui/notices.tsx';
import { changesOf, NO_DRAFTS, shownText, withDraft, type Draft, type Drafts, type Form } from './field.ts';
import { hasOtherErrors, problemsOf } from './problems.ts';
import { useProblems } from './use-problems.ts';
import { useSave } from './use-save.ts';

interface Edits {
  /** The record that the drafts are based on. */
  readonly base: ConfigRecord;
  readonly drafts: Drafts;
}

export type Editing = ReturnType<typeof useEditing>;

/** Edits a record in a form. Without edits, the form follows the record. */
export function useEditing(at: RecordRef, current: ConfigRecord, formOf: (record: ConfigRecord) => Form) {
  const [edits, setEdits] = useDraftState<Edits>(
    () => ({ base: current, drafts: NO_DRAFTS }),
    (typed) => typed.drafts.size > 0,
  );
  const { element, problems, reject, forget, forgetAll } = useProblems();
  const sent = useRef(NO_DRAFTS);
  /** Removes the notice that offers to undo the last discard. */
  const withdrawUndo = useRef(() => {});
  useEffect(() => () => withdrawUndo.current(), []);
  const { drafts } = edits;
  const base = drafts.size === 0 ? current : edits.base;
  // A new registration does not change the record, so edits on the old one stay valid.
  const form = formOf(base.plugin === current.plugin ? { ...base, plugin_info: current.plugin_info } : base);
  const { changes, problems: own } = changesOf(form, drafts);
  useConfirmLeaving(changes.size > 0 || [...own.keys()].some((name) => drafts.has(name)));

  const write = (record: ConfigRecord, mine: Changes, typed: Drafts): void => {
    sent.current = typed;
    save.write(record, mine);
  };
  const save = useSave(at, {
    onSaved: (before, after) => {
      // Keeps what was typed while the request was in flight.
      setEdits((now) => ({
        base: now.base.updated_at === before.updated_at ? after : now.base,
        drafts: withoutSent(now.drafts, sent.current),
      }));
      forgetAll();
      notify('Saved.');
    },
    onRejected: (error) => reject(problemsOf(error, form)),
  });

  return {
    at,
    /** The record that the changes are based on. */
    base,
    form,
    drafts,
    changes,
    /** The problems that the form finds itself. */
    mistakes: own,
    reject,
    element,
    problems,
    /** The error of the last save, unless the fields already show all of it. */
    error: save.error !== null && hasOtherErrors(save.error, form) ? save.error : null,
    save,
    /** Whether someone else changed the record since the first edit. */
    isOutdated: base.updated_at !== current.updated_at,
    /** Sets the draft of a field; undefined removes it. */
    edit: (name: string, draft: Draft | undefined, place: string) => {
      withdrawUndo.current();
      // While another value is being saved, returning to the stored one is an edit, too.
      const typed = draft === undefined && save.isPending ? shownText(form, name) : draft;
      setEdits(({ base: earlier, drafts: all }) => ({
        base: all.size === 0 ? current : earlier,
        drafts: withDraft(all, name, typed),
      }));
      forget(place);
    },
    submit: () => {
      if (save.isPending || drafts.size === 0) return;
      if (own.size > 0) reject(own);
      else if (changes.size > 0) write(base, changes, drafts);
      else setEdits({ base: current, drafts: NO_DRAFTS });
    },
    discard: () => {
      save.dismiss();
      setEdits({ base: current, drafts: NO_DRAFTS });
      forgetAll();
      withdrawUndo.current = notify('Changes discarded.', { Undo: () => setEdits(edits) });
    },
    /** Saves the changes on top of someone else's. */
    keepMine: (theirs: ConfigRecord, mine: Changes) => write(theirs, mine, drafts),
    /** Rebases the edits onto the record after another control on this page changed it. */
    advanceBase: (before: ConfigRecord, after: ConfigRecord) =>
      setEdits((all) => (all.base.updated_at === before.updated_at ? { ...all, base: after } : all)),
  };
}

function withoutSent(drafts: Drafts, sent: Drafts): Drafts {
  return new Map([...drafts].filter(([name, draft]) => sent.get(name) !== draft));
}
