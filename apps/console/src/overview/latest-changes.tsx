import { ChangeRow } from '../history/change-row.tsx';
import { changedFields } from '../history/shown-change.ts';
import { RecordLink } from '../record/record-link.tsx';
import { familyPath } from '../shell/addresses.ts';
import { Panel } from '../ui/panel.tsx';
import type { OverviewProperties } from './overview-figures.ts';

/** The latest changes to all records, one per line. */
export function LatestChanges({ projectId, overview: { changes } }: OverviewProperties) {
  const path = familyPath({ projectId, family: 'plugin_configs' });
  return (
    <Panel title="Latest changes" link={[`${path}/activity`, 'History']}>
      {changes.length === 0 ? (
        <p className="hint">Nothing has changed yet.</p>
      ) : (
        <ol className="rows recent">
          {changes.map(({ id, family, record, record_name: name, fields, ...change }) => (
            <ChangeRow
              key={id}
              projectId={projectId}
              change={change}
              fields={changedFields(change.activity, fields)}
            >
              <RecordLink at={{ projectId, family, id: record }} name={name} screen="/history" />
            </ChangeRow>
          ))}
        </ol>
      )}
    </Panel>
  );
}
