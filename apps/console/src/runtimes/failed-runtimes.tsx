import { Link } from 'wouter';
import { familyPath, type RecordRef } from '../shell/addresses.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Time } from '../ui/time.tsx';
import { useRuntimes } from './use-runtimes.ts';

export function FailedRuntimes({ at }: { readonly at: RecordRef }) {
  const { data = [], error, refetch } = useRuntimes(at);
  const failures = data.flatMap((runtime) =>
    runtime.failed.filter(({ id }) => id === at.id).map((failure) => ({ ...runtime, reason: failure.error })),
  );
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  if (failures.length === 0) return null;
  return (
    <section aria-labelledby="failed-runtimes">
      <h2 id="failed-runtimes">Not applied by</h2>
      <ul className="rows">
        {failures.map(({ instance, online, last_seen_at: seen, reason }) => (
          <li key={instance}>
            <div>
              <Link href={`${familyPath(at)}/runtimes`}>{instance}</Link>
              <pre className="last-error">{reason}</pre>
            </div>
            <span className="hint">
              {online ? 'online' : 'offline'}, seen <Time at={seen} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
