import type { ConfigRecord } from '@plugin-config/client';
import { CircleAlert, Plug, SearchX } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { LiveNote } from '../live/live-note.tsx';
import { useFamily } from '../live/use-family.ts';
import { useMarked } from '../live/use-marked.ts';
import { pluginName, recordName } from '../record/plugin-info.ts';
import { FAMILIES, familyPath, recordPath, shownFamilies, type FamilyRef } from '../shell/addresses.ts';
import { Heading, Tabs } from '../shell/heading.tsx';
import { InvalidBadge } from '../ui/badge.tsx';
import { SearchField } from '../ui/fields.tsx';
import { rateText } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { QueryResult, ReadError } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { EMBED_TABS } from './embed-record.tsx';
import { Enabled } from './enabled.tsx';

/** Shorter lists need no search. */
const SEARCH_FROM = 10;
/** How many more are shown at once. */
const STEP = 50;
const ERROR_MAX = 200;

/** The plugins of a project, in order. */
export function EmbedList({ at }: { readonly at: FamilyRef }) {
  const family = useFamily(at);
  return (
    <>
      <Heading title={FAMILIES[at.family]}>
        <LiveNote at={at} />
      </Heading>
      <FamilyTabs at={at} />
      <QueryResult query={family} what="plugins">
        {({ records }) =>
          records.length === 0 ? (
            <Empty icon={Plug} title={`No ${FAMILIES[at.family].toLowerCase()} yet`} />
          ) : (
            <Records at={at} records={records} />
          )
        }
      </QueryResult>
    </>
  );
}

const TRANSFORMATIONS = 'pipeline_transformation_configs';

/** Leads to the transformations of a project that has some. */
function FamilyTabs({ at }: { readonly at: FamilyRef }) {
  const families = shownFamilies();
  const transformations = useFamily({ ...at, family: TRANSFORMATIONS });
  if (!families.includes(TRANSFORMATIONS) || !transformations.data?.records.length) return null;
  return (
    <Tabs
      label="Families"
      tabs={families.map((family) => [familyPath({ ...at, family }), FAMILIES[family]])}
      current={familyPath(at)}
    />
  );
}

interface ListProperties {
  readonly at: FamilyRef;
  readonly records: readonly ConfigRecord[];
}

function Records({ at, records }: ListProperties) {
  const [search, setSearch] = useState('');
  const [count, setCount] = useState(STEP);
  const { ids: invalid, error } = useMarked(at, 'invalid');
  const wanted = search.trim().toLowerCase();
  const found = records.filter((record) =>
    `${recordName(record)} ${pluginName(record)}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <ReadError error={error} />
      {records.length >= SEARCH_FROM && (
        <search className="toolbar">
          <SearchField label="Search" value={search} onChange={setSearch} />
        </search>
      )}
      {found.length === 0 ? (
        <Empty icon={SearchX} title="No matching plugins" />
      ) : (
        <ol className="rows plugins" aria-label={FAMILIES[at.family]}>
          {found.slice(0, count).map((record) => (
            <li key={record.id}>
              <Row at={at} record={record} isInvalid={invalid.has(record.id)} />
            </li>
          ))}
        </ol>
      )}
      {found.length > count && (
        <p className="actions">
          <button type="button" onClick={() => setCount(count + STEP)}>
            Show more
          </button>
          <span className="hint">
            {count} of {found.length}
          </span>
        </p>
      )}
    </>
  );
}

interface RowProperties {
  readonly at: FamilyRef;
  readonly record: ConfigRecord;
  readonly isInvalid: boolean;
}

function Row({ at, record, isInvalid }: RowProperties) {
  const { error, delivery_rate_24h: rate } = record;
  return (
    <>
      <div className="name">
        <Mark name={pluginName(record)} seed={record.plugin} />
        <Link href={`${recordPath({ ...at, id: record.id })}${EMBED_TABS[0].path}`}>
          <bdi>{recordName(record)}</bdi>
        </Link>
        <span className="hint">
          {pluginName(record)}
          {rate !== null && ` · ${rateText(rate)} delivered in 24 hours`}
        </span>
        {isInvalid && (
          <span>
            <InvalidBadge />
          </span>
        )}
        {error !== null && (
          <span className="bad with-icon" title={error}>
            <CircleAlert />
            <span className="ellipsis">{error.slice(0, ERROR_MAX)}</span>
          </span>
        )}
      </div>
      <Enabled at={at} record={record} />
    </>
  );
}
