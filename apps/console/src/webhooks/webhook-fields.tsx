import type { WebhookEvent } from '@plugin-config/client';
import { PluginSelect } from '../record/plugin-select.tsx';
import { Choice, inputsFor, TextField } from '../ui/fields.tsx';
import { withEvent, type WebhookForm } from './webhook-form.ts';
import { EVENTS } from './webhook-words.ts';
import './webhooks.css';

interface Properties {
  readonly form: WebhookForm;
  readonly onChange: (form: WebhookForm) => void;
}

export function WebhookFields({ form, onChange }: Properties) {
  const { text, choice } = inputsFor(form, onChange);
  return (
    <>
      <TextField
        label="URL"
        type="url"
        required
        maxLength={2000}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://hooks.example.com/plugins"
        {...text('url')}
      />
      <fieldset>
        <legend>Events</legend>
        {(Object.keys(EVENTS) as readonly WebhookEvent[]).map((event) => (
          <Choice
            key={event}
            label={
              <>
                {EVENTS[event]} <code className="hint">{event}</code>
              </>
            }
            checked={form.events.includes(event)}
            onChange={(isOn) => onChange(withEvent(form, event, isOn))}
          />
        ))}
      </fieldset>
      <PluginSelect plugin={form.plugin} onChange={(plugin) => onChange({ ...form, plugin })} />
      <Choice label="Enabled" {...choice('enabled')} />
    </>
  );
}
