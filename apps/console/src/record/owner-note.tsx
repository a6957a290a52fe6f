import { headersOf, type ConfigRecord } from '@plugin-config/client';
import { Link } from 'wouter';

/** Warns that a record is managed by a document. */
export function OwnerNote({
  record,
  projectId,
}: {
  readonly record: ConfigRecord;
  readonly projectId: number;
}) {
  const headers = headersOf(record);
  const manager = headers?.get('x-managed-by') ?? null;
  if (manager === null) return null;
  return (
    <p className="owner-note">
      This record is managed by a document of <strong>{manager}</strong>, with the key{' '}
      <strong>{headers?.get('x-managed-key')}</strong>. Its next apply may undo changes you make here; until
      then, they are listed as{' '}
      <Link href={`/projects/${projectId}/documents?manager=${encodeURIComponent(manager)}`}>
        edited by hand
      </Link>
      .
    </p>
  );
}
