import { Blocks, CircleOff, FileWarning, Plug } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { RecordLink } from '../record/record-link.tsx';
import { FAMILIES } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { Badge } from '../ui/badge.tsx';
import { Choice } from '../ui/fields.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import type { ListProperties } from './list-properties.ts';
import { ProjectLink } from './project-link.tsx';

/** The records of a plugin in all projects. */
export function AllRecords({ filter: { plugin } }: ListProperties) {
  return plugin === undefined ? (
    <Empty icon={Blocks} title="Choose a plugin">
      <p>Its records in all projects are listed here.</p>
    </Empty>
  ) : (
    <RecordsOf plugin={plugin} />
  );
}

function RecordsOf({ plugin }: { readonly plugin: number }) {
  const [query, setQuery] = useSearchParams();
  const isInvalid = query.get('valid') === 'false';
  const list = useListing(['all', 'records', plugin, isInvalid], async ({ limit, offset }, options) => {
    const filter = { limit, offset, ...(isInvalid && { valid: false }) };
    const page = await service.plugins.records(plugin, filter, options).page();
    return { ...page, results: page.results.map((attached) => ({ ...attached, id: attached.record.id })) };
  });
  return (
    <>
      <search className="toolbar">
        <Choice
          label="Invalid"
          checked={isInvalid}
          onChange={(isOn) => setQuery({ plugin: String(plugin), ...(isOn && { valid: 'false' }) })}
        />
      </search>
      <Listing
        list={list}
        what="records"
        empty={<Empty icon={Plug} title={isInvalid ? 'No invalid records' : 'No project has this plugin'} />}
      >
        {({ project, family, record: { id, name }, enabled, valid }) => (
          <>
            <span className="actions">
              <RecordLink at={{ projectId: project.id, family, id }} name={name} />
              <ProjectLink project={project} />
              {!enabled && <Badge icon={CircleOff}>Disabled</Badge>}
              {!valid && (
                <Badge tone="bad" icon={FileWarning}>
                  Invalid
                </Badge>
              )}
            </span>
            <span className="hint">{FAMILIES[family]}</span>
          </>
        )}
      </Listing>
    </>
  );
}
