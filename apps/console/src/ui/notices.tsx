import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';

const SHOWN_MS = 10_000;

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly actions: Actions;
  readonly topic?: string | undefined;
}

/** The actions that a notice offers, by the label of their button. */
type Actions = Readonly<Record<string, () => void>>;

/**
 * Shows a notice for ten seconds, and for as long as the pointer or the focus is on the notices. It replaces an
 * earlier notice of the same topic. Returns a function that removes it.
 */
type Notify = (text: string, actions?: Actions, topic?: string) => () => void;

const NotifyContext = createContext<Notify>(() => () => {});

export const useNotify = (): Notify => use(NotifyContext);

/** Shows notices at the edge of the page and announces them to screen readers. */
export function Notices({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const lastId = useRef(0);
  const list = useRef<HTMLDivElement>(null);
  const remove = useCallback((id: number) => {
    setNotices((all) => all.filter((notice) => notice.id !== id));
  }, []);
  const notify = useCallback<Notify>(
    (text, actions = {}, topic) => {
      lastId.current += 1;
      const id = lastId.current;
      setNotices((all) => [
        ...all.filter((notice) => topic === undefined || notice.topic !== topic),
        { id, text, actions, topic },
      ]);
      const end = (): void => {
        if (list.current?.matches(':hover, :focus-within') === true) setTimeout(end, SHOWN_MS);
        else remove(id);
      };
      setTimeout(end, SHOWN_MS);
      return () => remove(id);
    },
    [remove],
  );
  const shown = useMemo(
    () =>
      notices.map(({ id, text, actions }) => (
        <p key={id} className="notice">
          {text}
          {Object.entries(actions).map(([label, act]) => (
            <button
              key={label}
              type="button"
              className="small"
              onClick={() => {
                remove(id);
                act();
              }}
            >
              {label}
            </button>
          ))}
        </p>
      )),
    [notices, remove],
  );
  return (
    <NotifyContext value={notify}>
      {children}
      <div ref={list} className="notices" role="status">
        {shown}
      </div>
    </NotifyContext>
  );
}
