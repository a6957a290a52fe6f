import { PluginConfigError, type ConfigRecord } from '@plugin-config/client';
import { useEffect, useRef, useState } from 'react';
import { ENTRY, type Changes } from '../record/changes.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { notify } from '../ui/notices.tsx';
import { changesOf, OTHERS, rebased, shownText, type Draft, type Drafts, type Form } from './field.ts';
import { useSave } from './use-save.ts';

interface Edits {
  /** The record that the drafts are based on. */
  readonly base: ConfigRecord;
  readonly drafts: Drafts;
}

/** Problems by field name. */
type Problems = ReadonlyMap<string, string>;

export type Editing = ReturnType<typeof useEditing>;

const NO_DRAFTS: Drafts = new Map();
const NO_PROBLEMS: Problems = new Map();

/** Edits a record in a form. Without edits, the form follows the record. */
export function useEditing(at: RecordRef, current: ConfigRecord, formOf: (record: ConfigRecord) => Form) {
  const [edits, setEdits] = useDraftState<Edits>(
    () => ({ base: current, drafts: NO_DRAFTS }),
    (typed) => typed.drafts.size > 0,
  );
  const [{ problems, rejections }, setRejection] = useState({ problems: NO_PROBLEMS, rejections: 0 });
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
  const fail = (found: Problems): void =>
    setRejection((before) => ({ problems: found, rejections: before.rejections + 1 }));
  const save = useSave(at, {
    onSaved: (before, after) => {
      // Keeps what was typed while the request was in flight.
      setEdits((now) => ({
        base: now.base.updated_at === before.updated_at ? after : now.base,
        drafts: withoutSent(now.drafts, sent.current),
      }));
      setRejection((last) => ({ ...last, problems: NO_PROBLEMS }));
      notify('Saved.');
    },
    onRejected: (error) => fail(problemsOf(error, form)),
  });

  return {
    at,
    form,
    drafts,
    problems,
    /** Counts rejected saves. Each moves the focus to the first invalid field. */
    rejections,
    /** The error of the last save, unless the fields already show all of it. */
    error: save.error !== null && hasOtherErrors(save.error, form) ? save.error : null,
    save,
    /** Whether someone else changed the record since the first edit. */
    isOutdated: base.updated_at !== current.updated_at,
    /** Sets the draft of a field; undefined removes it. */
    edit: (name: string, draft: Draft | undefined) => {
      withdrawUndo.current();
      // While another value is being saved, returning to the stored one is an edit, too.
      const typed = draft === undefined && save.isPending ? shownText(form, name) : draft;
      setEdits(({ base: earlier, drafts: all }) => {
        const next = new Map(all);
        if (typed === undefined) next.delete(name);
        else next.set(name, typed);
        return { base: all.size === 0 ? current : earlier, drafts: next };
      });
      setRejection((last) => ({ ...last, problems: withoutKey(last.problems, name) }));
    },
    submit: () => {
      if (save.isPending || drafts.size === 0) return;
      if (own.size > 0) fail(own);
      else if (changes.size > 0) write(base, changes, drafts);
      else setEdits({ base: current, drafts: NO_DRAFTS });
    },
    discard: () => {
      save.dismiss();
      setEdits({ base: current, drafts: NO_DRAFTS });
      setRejection((last) => ({ ...last, problems: NO_PROBLEMS }));
      withdrawUndo.current = notify('Changes discarded.', { Undo: () => setEdits(edits) });
    },
    /** Saves the kept changes on top of another state of the record. */
    merge: (theirs: ConfigRecord, kept: Changes) => {
      const left = rebased(formOf(theirs), drafts, kept);
      setEdits({ base: theirs, drafts: left });
      if (kept.size > 0) write(theirs, kept, left);
      else save.dismiss();
    },
    /** Rebases the edits onto the record after another control on this page changed it. */
    advanceBase: (before: ConfigRecord, after: ConfigRecord) =>
      setEdits((all) => (all.base.updated_at === before.updated_at ? { ...all, base: after } : all)),
  };
}

function withoutSent(drafts: Drafts, sent: Drafts): Drafts {
  return new Map([...drafts].filter(([name, draft]) => sent.get(name) !== draft));
}

function withoutKey(problems: Problems, name: string): Problems {
  return problems.has(name) ? new Map([...problems].filter(([key]) => key !== name)) : problems;
}

/** The errors of a response by field name. */
function problemsOf(error: Error, form: Form): Problems {
  const found = errorsOf(error).flatMap(({ attr, detail }) => {
    const name = fieldOf(attr, form);
    return name === null ? [] : [[name, name === OTHERS ? `"${attr}": ${detail}` : detail] as const];
  });
  // Reversed, so the first error of a field wins.
  return new Map(found.toReversed());
}

function hasOtherErrors(error: Error, form: Form): boolean {
  return errorsOf(error).some(({ attr }) => fieldOf(attr, form) === null);
}

function errorsOf(error: Error): readonly { readonly attr: string | null; readonly detail: string }[] {
  if (!(error instanceof PluginConfigError)) return [{ attr: null, detail: error.message }];
  return error.errors.length > 0 ? error.errors : [error];
}

/** Returns the field of the form that an error belongs to. */
function fieldOf(attr: string | null, { fields, others }: Form): string | null {
  if (attr === null) return null;
  const field = [ENTRY + attr, attr].find((name) => fields.some((one) => one.name === name));
  return field ?? (others !== null && attr !== OTHERS ? OTHERS : null);
}
