import type { UpgradePlan } from '@plugin-config/client';
import type { UpgradeStatus } from '@plugin-config/domain/vocabulary';
import { ProjectLink } from '../all-projects/project-link.tsx';
import { RecordLink } from '../record/record-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { formatCount } from '../ui/format.ts';
import { Table } from '../ui/table.tsx';
import { STATUSES } from './version-words.ts';

const ORDER = Object.entries(STATUSES) as readonly (readonly [
  UpgradeStatus,
  (typeof STATUSES)[UpgradeStatus],
])[];

/** How many records could be upgraded, and those that cannot without a loss or somebody's help. */
export function PlanTable({ plan }: { readonly plan: UpgradePlan }) {
  const { total, judged, records } = plan;
  return (
    <>
      <Table
        columns={['State', 'Records', 'What it means']}
        rows={ORDER.map(([status, [title, meaning]]) => [title, formatCount(plan[status]), meaning])}
      />
      {judged < total && (
        <p className="hint">
          The counts are of the first {formatCount(judged)} of {formatCount(total)} records.
        </p>
      )}
      {records.length > 0 && (
        <ol className="rows" aria-label="Records that are not clean">
          {records.map((record) => (
            <li key={`${record.family} ${record.project.id} ${record.id}`}>
              <PlannedRecord record={record} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function PlannedRecord({ record }: { readonly record: UpgradePlan['records'][number] }) {
  const { project, family, id, name, status, lacks, lost, runtimes, plugin_version: pinned } = record;
  const [title, , tone] = STATUSES[status];
  return (
    <div>
      <span className="actions">
        <RecordLink at={{ projectId: project.id, family, id }} name={name} screen="/configuration" />
        <ProjectLink project={project} />
        <Badge tone={tone}>{title}</Badge>
        <span className="hint">
          {pinned === null ? `Schema version ${record.schema_version}` : `Version ${pinned}`}
        </span>
      </span>
      {lacks.length > 0 && <Lacks lacks={lacks} />}
      {lost.length > 0 && <div className="hint">Loses {lost.join(', ')}.</div>}
      {runtimes.length > 0 && <div className="hint">Held up by {runtimes.join(', ')}.</div>}
    </div>
  );
}

/** What a person has to decide before an upgrade. */
export function Lacks({ lacks }: Pick<UpgradePlan['records'][number], 'lacks'>) {
  return (
    <ul>
      {lacks.map(({ attr, detail }) => (
        <li key={`${attr} ${detail}`}>
          {attr !== null && <code>{attr}</code>} {detail}
        </li>
      ))}
    </ul>
  );
}
