import { FIELD_TYPES } from '@plugin-config/domain/vocabulary';
import { Trash2 } from 'lucide-react';
import { Choice, inputsFor, Select, TextArea, TextField } from '../ui/fields.tsx';
import type { FieldForm } from './registration-form.ts';

interface Properties {
  readonly field: FieldForm;
  readonly isAllowed: boolean;
  readonly onChange: (field: FieldForm) => void;
  readonly onRemove: () => void;
}

export function SchemaField({ field, isAllowed, onChange, onRemove }: Properties) {
  const { text, choice } = inputsFor(field, onChange);
  return (
    <fieldset disabled={!isAllowed}>
      <legend>Field {field.key}</legend>
      <TextField label="Configuration key" required {...text('key')} />
      <Select label="Type" options={FIELD_TYPES.map((type) => [type, type])} {...text('type')} />
      {field.type === 'choice' && (
        <TextArea label="Choices, one per line" rows={3} required {...text('choices')} />
      )}
      <TextField label="Display name" {...text('name')} />
      <TextField label="Hint" {...text('hint')} />
      <TextField label="Default (JSON)" {...text('default')} />
      {field.secret && (
        <p className="hint">The default of a secret is never shown. Enter it again, or saving removes it.</p>
      )}
      <Choice label="Required" {...choice('required')} />
      <Choice label="Secret (never shown)" {...choice('secret')} />
      {field.secret && <Choice label="May be changed by runtimes" {...choice('runtime_writable')} />}
      <Choice label="Visible to browsers" {...choice('site')} />
      {isAllowed && (
        <p>
          <button type="button" className="small" aria-label={`Remove field ${field.key}`} onClick={onRemove}>
            <Trash2 />
            Remove field
          </button>
        </p>
      )}
    </fieldset>
  );
}
