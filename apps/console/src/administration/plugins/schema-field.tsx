import type { PluginField } from '@plugin-config/client';
import { Choice, Select, TextArea, TextField } from '../../ui/fields.tsx';
import { TYPES, type FieldForm } from './registration-form.ts';

interface Properties {
  readonly field: FieldForm;
  readonly isAllowed: boolean;
  readonly onChange: (field: FieldForm) => void;
  readonly onRemove: () => void;
}

const FLAGS = [
  ['required', 'Required'],
  ['secret', 'Secret (never shown)'],
  ['site', 'Visible to browsers'],
] as const;

export function SchemaField({ field, isAllowed, onChange, onRemove }: Properties) {
  const text = (name: 'key' | 'name' | 'hint' | 'default', label: string, isRequired = false) => (
    <TextField
      label={label}
      value={field[name]}
      required={isRequired}
      onChange={(typed) => onChange({ ...field, [name]: typed })}
    />
  );
  return (
    <fieldset disabled={!isAllowed}>
      <legend>Field {field.key}</legend>
      {text('key', 'Configuration key', true)}
      <Select
        label="Type"
        value={field.type}
        options={TYPES.map((type) => [type, type])}
        onChange={(type) => onChange({ ...field, type: type as PluginField['type'] })}
      />
      {field.type === 'choice' && (
        <TextArea
          label="Choices, one per line"
          rows={3}
          value={field.choices}
          required
          onChange={(choices) => onChange({ ...field, choices })}
        />
      )}
      {text('name', 'Display name')}
      {text('hint', 'Hint')}
      {text('default', 'Default (JSON)')}
      {field.secret && (
        <p className="hint">The default of a secret is never shown. Enter it again, or saving removes it.</p>
      )}
      {FLAGS.map(([name, label]) => (
        <Choice
          key={name}
          label={label}
          checked={field[name]}
          onChange={(isOn) => onChange({ ...field, [name]: isOn })}
        />
      ))}
      {isAllowed && (
        <p>
          <button type="button" className="small" aria-label={`Remove field ${field.key}`} onClick={onRemove}>
            Remove field
          </button>
        </p>
      )}
    </fieldset>
  );
}
