import { useEffect, useSyncExternalStore } from 'react';

const SHOWN_MS = 10_000;
const UNDO = 'Undo';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly actions: Actions;
  readonly topic: string | undefined;
}

/** The actions that a notice offers, by the label of their button. */
type Actions = Readonly<Record<string, () => void>>;

let notices: readonly Notice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(changed: readonly Notice[]): void {
  notices = changed;
  for (const listener of listeners) listener();
}

const remove = (id: number): void => show(notices.filter((notice) => notice.id !== id));

/**
 * Shows a notice for ten seconds, and for as long as the pointer or the focus is on one with actions. It replaces an
 * earlier notice of the same topic. Returns a function that removes it.
 */
export function notify(text: string, actions: Actions = {}, topic?: string): () => void {
  lastId += 1;
  const id = lastId;
  const others = notices.filter((notice) => topic === undefined || notice.topic !== topic);
  show([...others, { id, text, actions, topic }]);
  const end = (): void => {
    if (document.querySelector('.notices:is(:hover, :focus-within)') === null) remove(id);
    else setTimeout(end, SHOWN_MS);
  };
  setTimeout(end, SHOWN_MS);
  return () => remove(id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Undoes what the latest notice can undo. With many rows, its button is too many presses of Tab away. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
    return;
  // A field undoes its own input, and a dialog is in use.
  if (document.querySelector(':focus:read-write, dialog[open]') !== null) return;
  const latest = notices.findLast(({ actions }) => UNDO in actions);
  if (latest === undefined) return;
  event.preventDefault();
  remove(latest.id);
  latest.actions[UNDO]?.();
}

/** Shows notices at the edge of the page and announces them to screen readers. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices);
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <div className="notices" role="status">
      {shown.map(({ id, text, actions }) => (
        <p key={id} className="notice">
          {text}
          {Object.entries(actions).map(([label, act]) => (
            <button
              key={label}
              type="button"
              className="small"
              aria-keyshortcuts={label === UNDO ? 'Control+Z Meta+Z' : undefined}
              onClick={() => {
                remove(id);
                act();
              }}
            >
              {label}
            </button>
          ))}
        </p>
      ))}
    </div>
  );
}
