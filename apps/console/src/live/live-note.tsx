import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FamilyRef } from '../shell/addresses.ts';
import { followFamily, type Liveness } from './follow-family.ts';
import { whileVisible } from './while-visible.ts';

const TEXTS = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost. Reconnecting…',
  rejected: 'Not live',
} as const;

/** Follows the changes to a family, and shows whether it does. */
export function LiveNote({ at: { projectId, family } }: { readonly at: FamilyRef }) {
  const queries = useQueryClient();
  const [liveness, onLiveness] = useState<Liveness>('connecting');
  useEffect(
    () =>
      whileVisible(() => {
        onLiveness('connecting');
        const controller = new AbortController();
        void followFamily({ projectId, family }, { queries, signal: controller.signal, onLiveness });
        return () => controller.abort();
      }),
    [queries, projectId, family],
  );
  return (
    <span role="status" className={`liveness with-icon hint ${liveness}`}>
      {TEXTS[liveness]}
    </span>
  );
}
