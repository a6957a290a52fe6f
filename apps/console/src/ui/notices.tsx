import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';

const SHOWN_MS = 10_000;

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => void) | undefined;
  readonly topic?: string | undefined;
}

/** Tells the user what was done; for ten seconds, it can be undone. A notice replaces an earlier one of its topic. */
type Notify = (text: string, undo?: () => void, topic?: string) => void;

const NotifyContext = createContext<Notify>(() => {});

export const useNotify = (): Notify => use(NotifyContext);

/** Shows notices at the edge of the page, and reads them to screen readers. */
export function Notices({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const lastId = useRef(0);
  const remove = useCallback((id: number) => {
    setNotices((all) => all.filter((notice) => notice.id !== id));
  }, []);
  const notify = useCallback<Notify>(
    (text, undo, topic) => {
      lastId.current += 1;
      const id = lastId.current;
      setNotices((all) => [
        ...all.filter((notice) => topic === undefined || notice.topic !== topic),
        { id, text, undo, topic },
      ]);
      setTimeout(() => remove(id), SHOWN_MS);
    },
    [remove],
  );
  const shown = useMemo(
    () =>
      notices.map(({ id, text, undo }) => (
        <p key={id} className="notice">
          {text}
          {undo !== undefined && (
            <button
              type="button"
              className="small"
              onClick={() => {
                remove(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
        </p>
      )),
    [notices, remove],
  );
  return (
    <NotifyContext value={notify}>
      {children}
      <div className="notices" role="status">
        {shown}
      </div>
    </NotifyContext>
  );
}
