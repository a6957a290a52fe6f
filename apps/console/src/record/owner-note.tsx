import { headersOf, type ConfigRecord } from '@plugin-config/client';
import { Link } from 'wouter';

/** Warns before a record is edited by hand that a document manages. */
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
      The document of <strong>{manager}</strong> manages this record as{' '}
      <strong>{headers?.get('x-managed-key')}</strong>. What you change here may be undone by its next apply,
      and shows as an{' '}
      <Link href={`/projects/${projectId}/documents?manager=${encodeURIComponent(manager)}`}>
        edit by hand
      </Link>
      .
    </p>
  );
}
