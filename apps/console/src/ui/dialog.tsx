import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

interface Properties {
  readonly title: string;
  readonly children: ReactNode;
  /** Called when the user presses Escape. */
  readonly onClose: () => void;
}

/** A modal dialog that is open while it is rendered. */
export function Dialog({ title, children, onClose }: Properties) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closing it before it is unmounted returns the focus to where it was.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
