import type { Project } from '@plugin-config/client';
import { useQuery } from '@tanstack/react-query';
import { service } from '../../shell/service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { QueryResult } from '../../ui/query-result.tsx';

interface Properties {
  readonly project: Project;
  readonly onClose: () => void;
}

/** The log usage of a project by day, and its quota. */
export function UsageDialog({ project, onClose }: Properties) {
  const query = useQuery({
    queryKey: ['usage', project.id],
    queryFn: async ({ signal }) => service.project(project.id).usage({ signal }),
  });
  return (
    <Dialog title={`Log usage of ${project.name}`} onClose={onClose}>
      <QueryResult query={query} what="usage">
        {({ quota, days }) => (
          <table className="usage">
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col">Entries</th>
                <th scope="col">Bytes</th>
                <th scope="col">Over quota</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">Quota</th>
                <td>{limit(quota.entries_per_day)}</td>
                <td>{limit(quota.bytes_per_day)}</td>
                <td>–</td>
              </tr>
              {days.map(({ day, entries, bytes, over_quota: over }) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td>{formatCount(entries)}</td>
                  <td>{formatCount(bytes)}</td>
                  <td>{formatCount(over)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </QueryResult>
      <p className="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

function limit(max: number | null): string {
  return max === null ? 'No limit' : formatCount(max);
}
