import type { PluginField } from '@plugin-config/client';
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
    <label>
      {label}
      <input
        value={field[name]}
        required={isRequired}
        onChange={({ target }) => onChange({ ...field, [name]: target.value })}
      />
    </label>
  );
  return (
    <fieldset disabled={!isAllowed}>
      <legend>Field {field.key}</legend>
      {text('key', 'Key in the configuration', true)}
      <label>
        Type
        <select
          value={field.type}
          onChange={({ target }) => onChange({ ...field, type: target.value as PluginField['type'] })}
        >
          {TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
      {field.type === 'choice' && (
        <label>
          Choices, one a line
          <textarea
            rows={3}
            value={field.choices}
            required
            onChange={({ target }) => onChange({ ...field, choices: target.value })}
          />
        </label>
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
        <label key={name} className="choice">
          <input
            type="checkbox"
            checked={field[name]}
            onChange={({ target }) => onChange({ ...field, [name]: target.checked })}
          />
          {label}
        </label>
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
