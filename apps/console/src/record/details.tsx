import type { ConfigRecord } from '@plugin-config/client';
import type { Form } from '../editing/field.ts';
import { RecordForm } from '../editing/record-form.tsx';
import { useEditing } from '../editing/use-editing.ts';
import { Panel } from '../ui/panel.tsx';
import type { ScreenProperties } from './use-record.ts';

const TITLE = 'Name and description';

/** Edits what a record is called. */
export function Details({ at, record }: ScreenProperties) {
  const editing = useEditing(at, record, detailsForm);
  return (
    <Panel title={TITLE}>
      <RecordForm editing={editing} title={TITLE} />
    </Panel>
  );
}

export function detailsForm({ name, description }: ConfigRecord): Form {
  return {
    fields: [
      { name: 'name', label: 'Name', type: 'string', stored: name ?? undefined },
      { name: 'description', label: 'Description', type: 'string', stored: description ?? undefined },
    ],
    others: null,
  };
}
