import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useDraftState } from '../session/use-draft-state.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { useChange } from '../ui/queries.tsx';
import { isConflict } from './is-conflict.ts';
import { changeBetween, rebased } from './rebased.ts';

interface Edits<Item, Form> {
  /** The item that the form is based on, with its entity tag. */
  readonly base: Item;
  readonly form: Form;
}

interface Options<Item, Form, Request> {
  readonly stored: Item;
  readonly formOf: (item: Item) => Form;
  /** The key of the query that reads the item. */
  readonly queryKey: QueryKey;
  readonly read: () => Promise<Item>;
  /** Returns what a form describes. */
  readonly requestOf: (form: Form) => Request;
  /** Writes a change, unless the item has changed. */
  readonly write: (base: Item, change: Partial<Request>) => Promise<Item>;
  readonly affects: QueryKey;
}

/**
 * Edits a stored item in a form. Without edits, the form follows the item. If someone else has changed the item, a
 * save fails, and the form then shows their changes except where the user has edited the same fields.
 */
export function useStoredForm<Item extends object, Form extends object, Request extends object>(
  options: Options<Item, Form, Request>,
) {
  const { stored, formOf, requestOf, queryKey, read, write, affects } = options;
  const queries = useQueryClient();
  const [edits, setEdits] = useDraftState<Edits<Item, Form> | null>(
    () => null,
    (typed) => typed !== null,
  );
  const { base, form } = edits ?? { base: stored, form: formOf(stored) };
  /** Shows a later state of the item, with what was typed since `sent` on top. */
  const show = (later: Item, sent: Form): void => {
    queries.setQueryData(queryKey, later);
    setEdits((now) => {
      if (now === null || now.form === sent) return null;
      return { base: later, form: rebased(now.form, sent, formOf(later)) };
    });
  };
  const changeOf = (sent: Edits<Item, Form>): Partial<Request> =>
    changeBetween(requestOf(formOf(sent.base)), requestOf(sent.form));
  const save = useChange(async (sent: Edits<Item, Form>) => write(sent.base, changeOf(sent)), {
    affects,
    notice: 'Saved.',
    onSuccess: (saved, sent) => show(saved, sent.form),
    onError: async (error, sent) => {
      if (isConflict(error)) show(await read(), formOf(sent.base));
    },
  });
  useConfirmLeaving(edits !== null);
  return {
    form,
    change: (next: Form) => setEdits({ base, form: next }),
    isEdited: edits !== null,
    save: () => save.isPending || edits === null || save.mutate(edits),
    isSaving: save.isPending,
    /** Whether the last save failed because someone else had changed the item. */
    hasConflict: isConflict(save.error),
    error: isConflict(save.error) ? null : save.error,
    discard: () => setEdits(null),
  };
}
