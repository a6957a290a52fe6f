import { Fragment } from 'react';
import { fieldsOf, storedText, type Field } from '../editing/field.ts';
import { RecordForm } from '../editing/record-form.tsx';
import { secretText } from '../editing/reference.ts';
import { useEditing } from '../editing/use-editing.ts';
import type { ScreenProperties } from '../record/use-record.ts';
import { useMayWrite } from '../session/session.ts';
import { Empty } from '../ui/states.tsx';
import { configurationForm } from './configuration-form.ts';

/** The configuration of a record, as a form or as JSON. */
export function Configuration({ at, record }: ScreenProperties) {
  const mayWrite = useMayWrite();
  const fields = fieldsOf(configurationForm(record));
  if (fields.length === 0) {
    return (
      <Empty title="Nothing to configure">
        <p>This plugin has no settings.</p>
      </Empty>
    );
  }
  if (mayWrite) return <EditedConfiguration key={at.id} at={at} record={record} />;
  return (
    <dl className="facts">
      {fields.map((field) => (
        <Fragment key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <pre>{textOf(field)}</pre>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function EditedConfiguration({ at, record }: ScreenProperties) {
  const editing = useEditing(at, record, configurationForm);
  return <RecordForm editing={editing} title="Configuration" />;
}

function textOf(field: Field): string {
  if (field.secret === true) return secretText(field.stored);
  return field.stored === undefined ? 'Not set' : storedText(field);
}
