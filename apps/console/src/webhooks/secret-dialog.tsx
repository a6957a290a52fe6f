import { Dialog } from '../ui/dialog.tsx';
import { CopyButton } from '../ui/texts.tsx';

interface Properties {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook, which cannot be shown again. */
export function SecretDialog({ title, secret, onClose }: Properties) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        Copy the secret now: it will not be shown again. The receiver verifies the signature of each delivery
        with it, as in <code>docs/webhooks.md</code>.
      </p>
      <code className="token box">{secret}</code>
      <p className="actions">
        <CopyButton text={secret} what="secret" />
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      </p>
    </Dialog>
  );
}
