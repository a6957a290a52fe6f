import type { ConfigRecord } from '@plugin-config/client';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useErrorTime } from '../live/use-errors.ts';
import { FAMILIES, recordPath, type RecordRef } from '../shell/addresses.ts';
import { rateText } from '../ui/format.ts';
import { Time } from '../ui/texts.tsx';
import { entriesOf, pluginInfoOf } from './plugin-info.ts';

type Fact =
  | readonly [label: string, show: (record: ConfigRecord, at: RecordRef) => ReactNode]
  /** Where else the overview shows the field. */
  | { readonly shownIn: string };

/** How the overview shows each field of a record. A field that is missing here does not compile. */
const FACTS: Readonly<Record<keyof ConfigRecord, Fact>> = {
  enabled: { shownIn: 'the switch above the facts' },
  deleted: { shownIn: 'the note above the facts' },
  plugin: ['Plugin', (record) => <Plugin record={record} />],
  plugin_info: { shownIn: 'Plugin, without its icon: the page loads nothing from other hosts' },
  order: ['Position', ({ order }) => order],
  error: ['Last error', ({ error }, at) => (error === null ? 'None' : <LastError error={error} at={at} />)],
  delivery_rate_24h: [
    'Delivery rate (24 h)',
    ({ delivery_rate_24h: rate }, { family }) =>
      rate === null && family === 'plugin_configs' ? 'No deliveries' : rateText(rate),
  ],
  config: [
    'Configuration',
    (record, at) => <Link href={`${recordPath(at)}/configuration`}>{countOf(entriesOf(record).size)}</Link>,
  ],
  created_at: ['Created', ({ created_at: at }) => <Time at={at} />],
  updated_at: ['Changed', ({ updated_at: at }) => <Time at={at} />],
  id: ['Record', ({ id }, { family }) => `${id} (${FAMILIES[family]})`],
  team_id: ['Project', ({ team_id: id }) => id],
  name: { shownIn: 'the form below the facts' },
  description: { shownIn: 'the form below the facts' },
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
      <span className="hint">({record.plugin})</span>
      {info.description !== undefined && <p className="hint">{info.description}</p>}
    </>
  );
}

function LastError({ error, at }: { readonly error: string; readonly at: RecordRef }) {
  const time = useErrorTime(at);
  return (
    <>
      {time !== undefined && <Time at={time} />}
      <pre className="last-error">{error}</pre>
      <span className="hint">Shown until the plugin reports another error or recovers.</span>
    </>
  );
}

const countOf = (entries: number): string => (entries === 1 ? '1 entry' : `${entries} entries`);
