import { useState } from 'react';

/** Copies a text. `what` completes the label "Copy …". */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="small"
      aria-label={`Copy ${what}`}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true));
      }}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}

/** A command to copy. Long commands scroll, since wrapping would change how they read. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it */}
      <pre className="box" role="region" aria-label="Command" tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what="command" />
    </div>
  );
}
