import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../ui/queries.tsx';

interface Deletion {
  readonly remove: () => Promise<unknown>;
  /** Discards what was typed, so nobody is asked whether to leave it. */
  readonly discard: () => void;
  /** The key of the query that reads the item. */
  readonly queryKey: QueryKey;
  readonly affects: QueryKey;
  readonly notice: string;
  /** The page to open then. */
  readonly path: string;
}

/** Deletes the item of a page, and leaves the page. */
export function useDeletion({ remove, discard, queryKey, affects, notice, path }: Deletion) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const deletion = useChange(remove, {
    affects,
    notice,
    onSuccess: () => {
      discard();
      queries.removeQueries({ queryKey });
    },
  });
  // Only after the form has been rendered without what was typed.
  useEffect(() => {
    if (deletion.isSuccess) navigate(path);
  }, [deletion.isSuccess, navigate, path]);
  return deletion;
}
