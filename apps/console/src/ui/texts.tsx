import { Check, Copy, type LucideIcon } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { exactTime, relativeTime } from './format.ts';

const TICK_MS = 5000;

interface TimeProperties {
  readonly at: string;
  /** A text before the time. */
  readonly before?: string;
}

/** A relative time, with the exact time in the user's zone as a tooltip. */
export function Time({ at, before = '' }: TimeProperties) {
  const now = useSyncExternalStore(onTick, tick);
  return (
    <>
      {before}
      <time dateTime={at} title={exactTime(at)}>
        {relativeTime(Date.parse(at), now)}
      </time>
    </>
  );
}

/** The current time, rounded down to a tick. */
const tick = (): number => Math.floor(Date.now() / TICK_MS) * TICK_MS;

function onTick(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}

interface CopyProperties {
  readonly text: string;
  /** Completes the label "Copy …". */
  readonly what: string;
  readonly icon?: LucideIcon;
}

/** Copies a text. */
export function CopyButton({ text, what, icon: Icon = Copy }: CopyProperties) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="quiet icon small"
      aria-label={isCopied ? 'Copied' : `Copy ${what}`}
      title={isCopied ? 'Copied' : `Copy ${what}`}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(true));
      }}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? <Check /> : <Icon />}
    </button>
  );
}

/** A command to copy. Long commands scroll, since wrapping would change how they read. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="command">
      {/* Keys scroll it. */}
      <pre className="box" role="region" aria-label="Command" tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what="command" />
    </div>
  );
}
