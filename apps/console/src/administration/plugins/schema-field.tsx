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
  ['secret', 'Secret: never shown'],
  ['site', 'Browsers may see it'],
] as const;

/** One field of a schema. */
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
      {text('key', 'Key in the configuration', true)}
      <Select
        label="Type"
        value={field.type}
        options={TYPES.map((type) => [type, type])}
        onChange={(type) => onChange({ ...field, type: type as PluginField['type'] })}
      />
      {field.type === 'choice' && (
        <TextArea
          label="Choices, one a line"
          rows={3}
          value={field.choices}
          required
          onChange={(choices) => onChange({ ...field, choices })}
        />
      )}
      {text('name', 'Name in the form')}
      {text('hint', 'Hint')}
      {text('default', 'Default, as JSON')}
      {field.secret && (
        <p className="hint">
          The default of a secret is never shown. Whoever saves enters it again, or drops it.
        </p>
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
          <button
            type="button"
            className="small"
            aria-label={`Remove the field ${field.key}`}
            onClick={onRemove}
          >
            Remove the field
          </button>
        </p>
      )}
    </fieldset>
  );
}
