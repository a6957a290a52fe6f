import { ArrowUpCircle, Blocks, CircleOff, Plug } from 'lucide-react';
import { RecordLink } from '../record/record-link.tsx';
import { FAMILIES } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { Badge, InvalidBadge } from '../ui/badge.tsx';
import { Choice } from '../ui/fields.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { useParameter } from '../ui/use-parameter.ts';
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
  const [valid, setValid] = useParameter('valid');
  const [outdated, setOutdated] = useParameter('outdated');
  const isInvalid = valid === 'false';
  const isOutdated = outdated === 'true';
  const marks = { ...(isInvalid && { valid: false }), ...(isOutdated && { outdated: true }) };
  const list = useListing(['all', 'records', plugin, marks], async ({ limit, offset }, options) => {
    const filter = { limit, offset, ...marks };
    const page = await service.plugins.records(plugin, filter, options).page();
    return { ...page, results: page.results.map((attached) => ({ ...attached, id: attached.record.id })) };
  });
  return (
    <>
      <search className="toolbar">
        <Choice label="Invalid" checked={isInvalid} onChange={(isOn) => setValid(isOn ? 'false' : '')} />
        <Choice label="Outdated" checked={isOutdated} onChange={(isOn) => setOutdated(isOn ? 'true' : '')} />
      </search>
      <Listing
        list={list}
        what="records"
        empty={
          <Empty
            icon={Plug}
            title={isInvalid || isOutdated ? 'No such records' : 'No project has this plugin'}
          />
        }
      >
        {({ project, family, record: { id, name }, enabled, ...marked }) => (
          <>
            <span className="actions">
              <RecordLink at={{ projectId: project.id, family, id }} name={name} />
              <ProjectLink project={project} />
              {!enabled && <Badge icon={CircleOff}>Disabled</Badge>}
              {!marked.valid && <InvalidBadge />}
              {marked.outdated && (
                <Badge tone="warn" icon={ArrowUpCircle}>
                  Outdated
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
