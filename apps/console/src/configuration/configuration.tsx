import type { ConfigRecord } from '@plugin-config/client';
import { Fragment } from 'react';
import { othersText, storedText, type Field, type Form } from '../editing/field.ts';
import { RecordForm } from '../editing/record-form.tsx';
import { secretText } from '../editing/reference.ts';
import { useEditing } from '../editing/use-editing.ts';
import { pluginInfoOf } from '../record/plugin-info.ts';
import { useRecord } from '../record/use-record.ts';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { Empty } from '../ui/empty.tsx';
import { configurationForm } from './configuration-form.ts';

/** The configuration of a record, as a form or as JSON. */
export function Configuration({ at }: { readonly at: RecordRef }) {
  const key = useKey();
  const { data } = useRecord(at);
  if (data === undefined) return null;
  const form = configurationForm(data);
  if (form.others === null && form.fields.length === 0) {
    return (
      <Empty title="Nothing to configure">
        <p>This plugin has no settings.</p>
      </Empty>
    );
  }
  if (!may(key, 'plugin:write')) return <ReadOnlyForm form={form} />;
  return <EditedConfiguration key={at.id} at={at} record={data} />;
}

function EditedConfiguration({ at, record }: { readonly at: RecordRef; readonly record: ConfigRecord }) {
  const editing = useEditing(at, record, configurationForm);
  return <RecordForm editing={editing} title="Configuration" othersNote={othersNote(record)} />;
}

function othersNote(record: ConfigRecord): string {
  const info = pluginInfoOf(record);
  if (info === null) {
    return `Plugin ${record.plugin} is not registered, so its settings are unknown. Secrets from an earlier registration are kept.`;
  }
  return info.config_schema === undefined
    ? 'The plugin does not describe its settings.'
    : 'The plugin has no such settings. Remove them before you save.';
}

function ReadOnlyForm({ form }: { readonly form: Form }) {
  return (
    <dl className="facts">
      {form.fields.map((field) => (
        <Fragment key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <pre>{textOf(field)}</pre>
          </dd>
        </Fragment>
      ))}
      {form.others !== null && (
        <>
          <dt>{form.fields.length === 0 ? 'Configuration' : 'Other entries'}</dt>
          <dd>
            <pre>{othersText(form.others)}</pre>
          </dd>
        </>
      )}
    </dl>
  );
}

function textOf(field: Field): string {
  if (field.secret === true) return secretText(field.stored);
  return field.stored === undefined ? 'Not set' : storedText(field);
}
