import type { NewCheck } from '@plugin-config/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { problemsIn, type Problems } from '../editing/problems.ts';
import type { Form } from '../editing/field.ts';
import { recordsOf } from '../live/use-family.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { errorsOf } from '../ui/error-text.ts';

/** How long one request waits for the end of a check. */
const WAIT_SECONDS = 25;
const TIMEOUT_MS = (WAIT_SECONDS + 10) * 1000;

interface Tested {
  readonly at: FamilyRef;
  readonly form: Form;
  /** The problems that the form finds itself. */
  readonly mistakes: Problems;
  readonly reject: (found: Problems) => void;
  /** What the form shows. */
  readonly draft: NewCheck;
}

/** Tests the configuration in a form, without saving it. Editing or leaving the form ends the wait for the result. */
export function useCheck({ at, form, mistakes, reject, draft }: Tested) {
  const shown = JSON.stringify(draft);
  const tested = useMemo(() => ({ shown, waits: new Set<AbortController>() }), [shown]);
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
