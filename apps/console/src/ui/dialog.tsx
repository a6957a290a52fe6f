import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Form } from './fields.tsx';
import { ErrorNote } from './states.tsx';

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

interface FormProperties extends Properties {
  readonly submitLabel: string;
  /** The change that the form makes. */
  readonly change?: { readonly error: Error | null; readonly isPending: boolean };
  readonly isDisabled?: boolean;
  readonly onSubmit: () => void;
}

export function FormDialog({ submitLabel, change, isDisabled, onSubmit, ...dialog }: FormProperties) {
  return (
    <Dialog {...dialog}>
      <Form className="fields" onSubmit={() => change?.isPending === true || onSubmit()}>
        {dialog.children}
        <ErrorNote error={change?.error ?? null} />
        <p className="actions">
          <button type="button" onClick={dialog.onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isDisabled} aria-disabled={change?.isPending}>
            {submitLabel}
          </button>
        </p>
      </Form>
    </Dialog>
  );
}
