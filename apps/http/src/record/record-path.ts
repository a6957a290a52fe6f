import type { RecordRef } from '@plugin-config/domain';

export function recordPath({ projectId, family, id }: RecordRef): string {
  return `/api/projects/${projectId}/${family}/${id}`;
}
