import { CopyButton } from './copy-button.tsx';
import './command.css';

/** A command to copy. Long commands scroll, since wrapping would change how they read. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it */}
      <pre role="region" aria-label="Command" tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what="command" />
    </div>
  );
}
