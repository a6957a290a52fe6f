import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { Form } from './fields.tsx';

interface Properties {
  readonly title: string;
  /** The fields, or what would be lost. */
  readonly children: ReactNode;
  readonly submitLabel: string;
  /** Set for actions that cannot be undone. */
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly error?: Error | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A dialog with a form, or a confirmation of an action that cannot be undone. */
export function FormDialog({
  title,
  submitLabel,
  error,
  onSubmit,
  onClose,
  children,
  ...button
}: Properties) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form className="fields" onSubmit={onSubmit}>
        {children}
        {error != null && <ErrorNote error={error} />}
        <p className="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={button.isDanger === true ? 'danger' : 'primary'}
            disabled={button.isDisabled}
          >
            {submitLabel}
          </button>
        </p>
      </Form>
    </Dialog>
  );
}
