import { useEffect, useEffectEvent, type RefObject } from 'react';

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

interface Listeners {
  /** A control in the row of a record got the focus. */
  readonly onActivate: (id: number) => void;
  /** The user moved a record by one place. */
  readonly onStep: (id: number, by: 1 | -1) => void;
}

/** Listens on the list, since scrolling mounts and unmounts its rows. */
export function useRowKeys(rows: RefObject<HTMLElement | null>, { onActivate, onStep }: Listeners): void {
  const activate = useEffectEvent(onActivate);
  const step = useEffectEvent(onStep);
  useEffect(() => {
    const element = rows.current;
    const listening = new AbortController();
    const { signal } = listening;
    element?.addEventListener('focusin', ({ target }) => withRowId(target, activate), { signal });
    element?.addEventListener(
      'keydown',
      (event) => {
        const by = STEPS[event.key];
        if (!event.altKey || by === undefined) return;
        event.preventDefault();
        withRowId(event.target, (id) => step(id, by));
      },
      { signal },
    );
    return () => listening.abort();
  }, [rows]);
}

/** Calls the listener with the id of the record whose row contains the element. */
function withRowId(target: EventTarget | null, listener: (id: number) => void): void {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null;
  if (row !== null) listener(Number(row.dataset['id']));
}
