import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { problemsIn } from '../editing/problems.ts';
import type { Editing } from '../editing/use-editing.ts';
import { recordsOf } from '../live/use-family.ts';
import { configWith } from '../record/changes.ts';
import { errorsOf } from '../ui/error-text.ts';

/** How long one request waits for the end of a check. */
const WAIT_SECONDS = 25;
const TIMEOUT_MS = (WAIT_SECONDS + 10) * 1000;

/** Tests the configuration in a form, without saving it. Editing or leaving the form ends the wait for the result. */
export function useCheck({ at, base, form, drafts, changes, mistakes, reject }: Editing) {
  const { plugin, config } = base;
  const tested = useMemo(() => ({ drafts, config, waits: new Set<AbortController>() }), [drafts, config]);
  useEffect(
    () => () => {
      for (const wait of tested.waits) wait.abort();
    },
    [tested],
  );
  const { mutate, variables, ...check } = useMutation({
    mutationFn: async ({ waits }: typeof tested) => {
      const wait = new AbortController();
      waits.add(wait);
      const { signal } = wait;
      const records = recordsOf(at);
      const draft = { plugin, config: configWith(base, changes), record: at.id };
      const { id } = await records.check(draft, { signal });
      for (;;) {
        const found = await records.checkResult(
          id,
          { wait: WAIT_SECONDS },
          { signal, timeoutMs: TIMEOUT_MS },
        );
        if (found.finished_at !== null) return found;
      }
    },
    // The cache must not keep what was sent: it may contain a secret.
    gcTime: 0,
    onSuccess: ({ errors }, sent) => {
      if (sent === tested) reject(problemsIn(errors, form));
    },
    onError: (error, sent) => {
      if (sent === tested) reject(problemsIn(errorsOf(error), form));
    },
  });
  const isCurrent = variables === tested;
  return {
    check: () => (mistakes.size > 0 ? reject(mistakes) : mutate(tested)),
    isPending: isCurrent && check.isPending,
    /** What came of testing exactly what the form shows. */
    result: isCurrent ? check.data : undefined,
    error: isCurrent ? check.error : null,
  };
}
