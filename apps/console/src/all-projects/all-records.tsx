import { ArrowUpCircle, Blocks, CircleOff, FileWarning, Plug } from 'lucide-react';
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
  const isOutdated = query.get('outdated') === 'true';
  const marks = { ...(isInvalid && { valid: false }), ...(isOutdated && { outdated: true }) };
  const list = useListing(['all', 'records', plugin, marks], async ({ limit, offset }, options) => {
    const filter = { limit, offset, ...marks };
    const page = await service.plugins.records(plugin, filter, options).page();
    return { ...page, results: page.results.map((attached) => ({ ...attached, id: attached.record.id })) };
  });
  const choose = (name: string, value: string | null): void => {
    const next = new URLSearchParams(query);
    next.delete(name);
    if (value !== null) next.set(name, value);
    setQuery(next);
  };
  return (
    <>
      <search className="toolbar">
        <Choice
          label="Invalid"
          checked={isInvalid}
          onChange={(isOn) => choose('valid', isOn ? 'false' : null)}
        />
        <Choice
          label="Outdated"
          checked={isOutdated}
          onChange={(isOn) => choose('outdated', isOn ? 'true' : null)}
        />
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
        {({ project, family, record: { id, name }, enabled, valid, outdated }) => (
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
              {outdated && (
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
