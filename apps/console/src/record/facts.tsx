import type { ConfigRecord } from '@plugin-config/client';
import { Fragment, type ReactNode } from 'react';
import { FAMILIES, type RecordRef } from '../shell/addresses.ts';
import { Time } from '../ui/texts.tsx';
import { pluginInfoOf } from './plugin-info.ts';

type Fact =
  | readonly [label: string, show: (record: ConfigRecord, at: RecordRef) => ReactNode]
  /** Where else the overview shows the field. */
  | { readonly shownIn: string };

/** How the overview shows each field of a record. A field that is missing here does not compile. */
const FACTS: Readonly<Record<keyof ConfigRecord, Fact>> = {
  plugin: ['Plugin', (record) => <Plugin record={record} />],
  plugin_info: { shownIn: 'Plugin, without its icon: the page loads nothing from other hosts' },
  order: ['Position', ({ order }) => order],
  id: ['Record', ({ id }, { family }) => `${id} (${FAMILIES[family]})`],
  team_id: ['Project', ({ team_id: id }) => id],
  created_at: ['Created', ({ created_at: at }) => <Time at={at} />],
  updated_at: ['Changed', ({ updated_at: at }) => <Time at={at} />],
  enabled: { shownIn: 'the switch above the facts' },
  deleted: { shownIn: 'the note above the facts' },
  error: { shownIn: 'Errors' },
  delivery_rate_24h: { shownIn: 'Health' },
  config: { shownIn: 'Configuration' },
  name: { shownIn: 'Name and description' },
  description: { shownIn: 'Name and description' },
};

/** The fields of a record that cannot be changed here. */
export function Facts({ record, at }: { readonly record: ConfigRecord; readonly at: RecordRef }) {
  const facts = Object.values(FACTS).flatMap((fact) => ('shownIn' in fact ? [] : [fact]));
  return (
    <dl className="facts">
      {facts.map(([label, show]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{show(record, at)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Plugin({ record }: { readonly record: ConfigRecord }) {
  const info = pluginInfoOf(record);
  if (info === null) return <>{record.plugin} (not registered)</>;
  const name = <bdi>{info.name}</bdi>;
  return (
    <>
      {info.url !== undefined && /^https?:/.test(info.url) ? (
        <a href={info.url} target="_blank" rel="noreferrer">
          {name}
        </a>
      ) : (
        name
      )}{' '}
      <span className="hint">({[info.slug ?? [], record.plugin].flat().join(', ')})</span>
      {info.description !== undefined && <p className="hint">{info.description}</p>}
    </>
  );
}
