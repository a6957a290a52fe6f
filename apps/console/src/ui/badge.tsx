import { FileWarning, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface Properties {
  readonly tone?: 'neutral' | 'good' | 'warn' | 'bad' | 'accent';
  /** Says the same as the tone, for people who don't see colours. */
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
}

/** A state in one or two words. */
export function Badge({ tone = 'neutral', icon: Icon, children }: Properties) {
  return (
    <span className={`badge ${tone}`}>
      {Icon && <Icon />}
      {children}
    </span>
  );
}

/** Marks a record whose configuration the schema of its plugin rejects. */
export const InvalidBadge = () => (
  <Badge tone="bad" icon={FileWarning}>
    Invalid
  </Badge>
);
