import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { Link } from 'wouter';
import { hasOtherErrors, otherErrors } from '../editing/problems.ts';
import type { Form } from '../editing/field.ts';
import { useMayRead } from '../session/session.ts';
import { familyPath, type FamilyRef } from '../shell/addresses.ts';
import { ErrorNote } from '../ui/states.tsx';
import type { useCheck } from './use-check.ts';

interface Properties {
  readonly at: FamilyRef;
  readonly form: Form;
  readonly check: ReturnType<typeof useCheck>;
}

/** What a check found, except what the fields show. */
export function CheckOutcome({ at, form, check: { isPending, result, error } }: Properties) {
  const mayRead = useMayRead(at.projectId);
  if (isPending) {
    return (
      <p className="loading with-icon hint" role="status">
        <LoaderCircle />
        Waiting for a runtime to check it…
      </p>
    );
  }
  if (error !== null) return <ErrorNote error={hasOtherErrors(error, form) ? error : null} />;
  if (result === undefined) return null;
  const { ok, errors, details, error: reason } = result;
  return (
    <div role={ok === true ? 'status' : 'alert'} className={`note ${ok === true ? 'good' : 'bad'}`}>
      {ok === true ? <CircleCheck /> : <CircleAlert />}
      <div>
        {ok === null ? (
          <p>
            <strong>This configuration could not be checked.</strong> {reason}{' '}
            {mayRead && <Link href={`${familyPath(at)}/runtimes`}>See the runtimes.</Link>}
          </p>
        ) : (
          <p>
            <strong>{ok ? 'This configuration works.' : 'This configuration does not work.'}</strong>
          </p>
        )}
        {otherErrors(errors, form).map(({ attr, detail }) => (
          <p key={`${attr} ${detail}`}>{attr === null ? detail : `${attr}: ${detail}`}</p>
        ))}
        {details !== null && (
          <details>
            <summary>Details</summary>
            <pre>{JSON.stringify(details, null, 2)}</pre>
          </details>
        )}
      </div>
    </div>
  );
}

/** The button that starts a check. */
export function CheckButton({ check: { check, isPending } }: Pick<Properties, 'check'>) {
  return (
    <button type="button" aria-disabled={isPending} onClick={() => isPending || check()}>
      {isPending ? 'Checking…' : 'Check'}
    </button>
  );
}
