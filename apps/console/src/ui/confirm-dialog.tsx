import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

interface Properties {
  readonly title: string;
  /** Names what is lost. */
  readonly children: ReactNode;
  /** The text of the button that does it. */
  readonly act: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done that cannot be undone. */
export function ConfirmDialog({ title, children, act, isPending, error, onConfirm, onClose }: Properties) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error !== null && <ErrorNote error={error} />}
      <p className="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="danger" disabled={isPending} onClick={onConfirm}>
          {act}
        </button>
      </p>
    </Dialog>
  );
}
