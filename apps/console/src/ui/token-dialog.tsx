import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { CopyButton } from './texts.tsx';

interface Properties {
  readonly title: string;
  readonly token: string;
  /** Completes the label "Copy …". */
  readonly what: string;
  /** What to do with it. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Shows a key or a secret, which cannot be shown again. */
export function TokenDialog({ title, token, what, children, onClose }: Properties) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <code className="token box">{token}</code>
      <p className="actions">
        <CopyButton text={token} what={what} />
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      </p>
    </Dialog>
  );
}
