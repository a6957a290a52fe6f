import { guideUrl } from '../ui/guides.ts';
import { TokenDialog } from '../ui/token-dialog.tsx';

interface Properties {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook. */
export function SecretDialog({ title, secret, onClose }: Properties) {
  return (
    <TokenDialog title={title} token={secret} what="secret" onClose={onClose}>
      Copy the secret now: it will not be shown again. The receiver{' '}
      <a href={guideUrl('webhooks.md')} target="_blank" rel="noreferrer">
        verifies the signature
      </a>{' '}
      of each delivery with it.
    </TokenDialog>
  );
}
