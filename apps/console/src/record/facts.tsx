import type { ConfigRecord } from '@plugin-config/client';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useErrorTime } from '../live/use-errors.ts';
import { FAMILIES, recordPath, type RecordRef } from '../shell/addresses.ts';
import { rateText } from '../ui/rate-text.ts';
import { Time } from '../ui/time.tsx';
import { entriesOf, pluginInfoOf } from './plugin-info.ts';

type Fact =
  | { readonly label: string; readonly show: (record: ConfigRecord, at: RecordRef) => ReactNode }
  /** Where else the overview shows the field. */
  | { readonly shownIn: string };

/** How the overview shows each field of a record. A field that is missing here does not compile. */
const FACTS: Readonly<Record<keyof ConfigRecord, Fact>> = {
  enabled: { shownIn: 'the switch above the facts' },
  deleted: { shownIn: 'the note above the facts' },
  plugin: { label: 'Plugin', show: (record) => <Plugin record={record} /> },
  plugin_info: { shownIn: 'Plugin, without its icon: the page loads nothing from other hosts' },
  order: { label: 'Position', show: ({ order }) => order },
  error: {
    label: 'Last error',
    show: ({ error }, at) => (error === null ? 'None' : <LastError error={error} at={at} />),
  },
  delivery_rate_24h: {
    label: 'Delivery rate (24 h)',
    show: ({ delivery_rate_24h: rate }, { family }) =>
      rate === null && family === 'plugin_configs' ? 'No deliveries' : rateText(rate),
  },
  config: {
    label: 'Configuration',
    show: (record, at) => (
      <Link href={`${recordPath(at)}/configuration`}>{countOf(entriesOf(record).size)}</Link>
    ),
  },
  created_at: { label: 'Created', show: ({ created_at: at }) => <Time at={at} /> },
  updated_at: { label: 'Changed', show: ({ updated_at: at }) => <Time at={at} /> },
  id: { label: 'Record', show: ({ id }, { family }) => `${id} (${FAMILIES[family]})` },
  team_id: { label: 'Project', show: ({ team_id: id }) => id },
  name: { shownIn: 'the form below the facts' },
  description: { shownIn: 'the form below the facts' },
};

/** The fields of a record that cannot be changed here. */
export function Facts({ record, at }: { readonly record: ConfigRecord; readonly at: RecordRef }) {
  return (
    <dl className="facts">
      {Object.entries(FACTS).map(
        ([field, fact]) =>
          'show' in fact && (
            <Fragment key={field}>
              <dt>{fact.label}</dt>
              <dd>{fact.show(record, at)}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

function Plugin({ record }: { readonly record: ConfigRecord }) {
  const info = pluginInfoOf(record);
  if (info === null) return <>{record.plugin} (not registered)</>;
  return (
    <>
      {info.url !== undefined && /^https?:/.test(info.url) ? (
        <a href={info.url} target="_blank" rel="noreferrer">
          <bdi>{info.name}</bdi>
        </a>
      ) : (
        <bdi>{info.name}</bdi>
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

function countOf(entries: number): string {
  return entries === 1 ? '1 entry' : `${entries} entries`;
}
