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
