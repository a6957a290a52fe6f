import { PluginConfigError, type ConfigRecord } from '@plugin-config/client';
import { useEffect, useRef, useState } from 'react';
import { ENTRY, type Changes } from '../record/changes.ts';
import { useTyped } from '../session/use-typed.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useAskBeforeLeaving } from '../ui/ask-before-leaving.ts';
import { useNotify } from '../ui/notices.tsx';
import { changesOf, OTHERS, rebased, shownText, type Draft, type Drafts, type Form } from './field.ts';
import { useSave, type Save } from './use-save.ts';

/** What was typed, and on what. */
interface Edits {
  /** The record on which the drafts were made. */
  readonly base: ConfigRecord;
  readonly drafts: Drafts;
}

/** What is wrong with fields, by their names. */
type Problems = ReadonlyMap<string, string>;

export interface Editing {
  readonly at: RecordRef;
  readonly form: Form;
  readonly drafts: Drafts;
  readonly problems: Problems;
  /** Counts the rejected saves: each moves the focus to the first field at fault. */
  readonly rejections: number;
  /** The error of the last save, if a part of it concerns no field of the form. */
  readonly error: Error | null;
  readonly save: Save;
  /** Somebody else has changed the record since the first edit. */
  readonly isOutdated: boolean;
  /** Changes the draft of a field; undefined takes it back. */
  readonly edit: (name: string, draft: Draft | undefined) => void;
  readonly submit: () => void;
  readonly discard: () => void;
  /** Saves what is kept of the changes on another state of the record. */
  readonly merge: (theirs: ConfigRecord, kept: Changes) => void;
  /** Lets the edits stand on the record after another change of this page. */
  readonly moveOn: (before: ConfigRecord, after: ConfigRecord) => void;
}

const NO_DRAFTS: Drafts = new Map();
const NO_PROBLEMS: Problems = new Map();

/** Edits a record in a form. Without edits, the form shows the record as it is now. */
export function useEditing(
  at: RecordRef,
  current: ConfigRecord,
  formOf: (record: ConfigRecord) => Form,
): Editing {
  const notify = useNotify();
  const [edits, setEdits] = useTyped<Edits>(
    () => ({ base: current, drafts: NO_DRAFTS }),
    (typed) => typed.drafts.size > 0,
  );
  const [{ problems, rejections }, setRefusal] = useState({ problems: NO_PROBLEMS, rejections: 0 });
  const sent = useRef(NO_DRAFTS);
  /** Takes back the offer to undo the last discard. */
  const withdrawUndo = useRef(() => {});
  useEffect(() => () => withdrawUndo.current(), []);
  const { drafts } = edits;
  const base = drafts.size === 0 ? current : edits.base;
  // A registration changes no record, so it does not make the edits outdated.
  const form = formOf(base.plugin === current.plugin ? { ...base, plugin_info: current.plugin_info } : base);
  const { changes, problems: own } = changesOf(form, drafts);
  useAskBeforeLeaving(changes.size > 0 || [...own.keys()].some((name) => drafts.has(name)));

  const write = (record: ConfigRecord, mine: Changes, typed: Drafts): void => {
    sent.current = typed;
    save.write(record, mine);
  };
  const fail = (found: Problems): void =>
    setRefusal((before) => ({ problems: found, rejections: before.rejections + 1 }));
  const moveOn = (before: ConfigRecord, after: ConfigRecord): void =>
    setEdits((all) => (all.base.updated_at === before.updated_at ? { ...all, base: after } : all));
  const save = useSave(at, {
    onSaved: (before, after) => {
      // What was typed while the answer was under way stays.
      setEdits((now) => ({
        base: now.base.updated_at === before.updated_at ? after : now.base,
        drafts: withoutSent(now.drafts, sent.current),
      }));
      setRefusal((last) => ({ ...last, problems: NO_PROBLEMS }));
      notify('Saved.');
    },
    onRejected: (error) => fail(problemsOf(error, form)),
  });

  return {
    at,
    form,
    drafts,
    problems,
    rejections,
    error: save.error !== null && concernsMore(save.error, form) ? save.error : null,
    save,
    isOutdated: base.updated_at !== current.updated_at,
    edit: (name, draft) => {
      withdrawUndo.current();
      // While another value of the field is being saved, the stored one is an edit, too.
      const typed = draft === undefined && save.isPending ? shownText(form, name) : draft;
      setEdits(({ base: earlier, drafts: all }) => {
        const next = new Map(all);
        if (typed === undefined) next.delete(name);
        else next.set(name, typed);
        return { base: all.size === 0 ? current : earlier, drafts: next };
      });
      setRefusal((last) => ({ ...last, problems: withoutKey(last.problems, name) }));
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
      setRefusal((last) => ({ ...last, problems: NO_PROBLEMS }));
      withdrawUndo.current = notify('Your edits were discarded.', { Undo: () => setEdits(edits) });
    },
    merge: (theirs, kept) => {
      const left = rebased(formOf(theirs), drafts, kept);
      setEdits({ base: theirs, drafts: left });
      if (kept.size > 0) write(theirs, kept, left);
      else save.dismiss();
    },
    moveOn,
  };
}

function withoutSent(drafts: Drafts, sent: Drafts): Drafts {
  return new Map([...drafts].filter(([name, draft]) => sent.get(name) !== draft));
}

function withoutKey(problems: Problems, name: string): Problems {
  return problems.has(name) ? new Map([...problems].filter(([key]) => key !== name)) : problems;
}

/** The errors of an answer, each at its field. */
function problemsOf(error: Error, form: Form): Problems {
  const found = errorsOf(error).flatMap(({ attr, detail }) => {
    const name = fieldOf(attr, form);
    return name === null ? [] : [[name, name === OTHERS ? `"${attr}": ${detail}` : detail] as const];
  });
  // The first error of a field comes last, and so stays.
  return new Map(found.toReversed());
}

function concernsMore(error: Error, form: Form): boolean {
  return errorsOf(error).some(({ attr }) => fieldOf(attr, form) === null);
}

function errorsOf(error: Error): readonly { readonly attr: string | null; readonly detail: string }[] {
  if (!(error instanceof PluginConfigError)) return [{ attr: null, detail: error.message }];
  return error.errors.length > 0 ? error.errors : [error];
}

/** The field of the form that an error names; null if there is none. */
function fieldOf(attr: string | null, { fields, others }: Form): string | null {
  if (attr === null) return null;
  const field = [ENTRY + attr, attr].find((name) => fields.some((one) => one.name === name));
  return field ?? (others !== null && attr !== OTHERS ? OTHERS : null);
}
