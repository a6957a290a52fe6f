import { useFamily } from '../live/use-family.ts';
import { recordName } from '../record/plugin-info.ts';
import { PluginSelect } from '../record/plugin-select.tsx';
import { FAMILIES, shownFamilies, type Family } from '../shell/addresses.ts';
import { Choice, inputsFor, Select, TextField } from '../ui/fields.tsx';
import { isOnRecord, withFamily, type AlertForm } from './alert-form.ts';
import { EACH, isOfFamily, SIGNALS, signalsOf } from './alert-words.ts';
import type { AlertOwner } from './alerts-of.ts';

const RECORDS_STALE_MS = 10_000;

interface Properties {
  readonly projectId: AlertOwner;
  readonly form: AlertForm;
  readonly onChange: (form: AlertForm) => void;
}

export function AlertFields({ projectId, form, onChange }: Properties) {
  const { text, choice } = inputsFor(form, onChange);
  const { family, signal, n, action } = form;
  const families = Object.entries(FAMILIES).filter(
    ([one]) => one === family || shownFamilies().some((shown) => shown === one),
  );
  const number = { type: 'number', required: true, step: 1 } as const;
  return (
    <>
      <fieldset>
        <legend>What it watches</legend>
        <TextField label="Name" required maxLength={200} {...text('name')} />
        <div className="side-by-side">
          <Select
            label="Family"
            options={families}
            value={family}
            onChange={(value) => onChange(withFamily(form, value as Family))}
          />
          {projectId !== null && !isOfFamily(signal) && (
            <RecordSelect projectId={projectId} family={family} {...text('record')} />
          )}
          {!isOnRecord(form) && <PluginSelect plugin={form.plugin} onChange={text('plugin').onChange} />}
        </div>
      </fieldset>
      <fieldset>
        <legend>When it fires</legend>
        <Select
          label="Signal"
          options={signalsOf(family).map((one) => [one, SIGNALS[one].title])}
          {...text('signal')}
        />
        <p className="hint">{SIGNALS[signal].hint}</p>
        <div className="side-by-side">
          {signal === 'delivery_rate' && (
            <>
              <TextField label="Threshold (%)" {...number} step="any" min={0} max={100} {...text('rate')} />
              <TextField
                label="Minimum deliveries"
                {...number}
                min={0}
                max={1_000_000}
                {...text('samples')}
              />
            </>
          )}
          {signal === 'log' && (
            <TextField label="Threshold (entries)" {...number} min={1} max={10_000} {...text('count')} />
          )}
          {signal === 'offline' && (
            <TextField label="Threshold (runtimes)" {...number} min={1} max={1000} {...text('online')} />
          )}
          <TextField label="Window (minutes)" {...number} min={5} max={1440} {...text('window')} />
        </div>
        <div className="side-by-side">
          <TextField label="Failed checks needed" {...number} min={1} max={10} {...text('n')} />
          <TextField label="Out of the last" {...number} min={Number(n) || 1} max={10} {...text('m')} />
        </div>
        <p className="hint">
          Checked once a minute. With 2 of the last 3 checks, a single bad minute does not count.
        </p>
      </fieldset>
      <fieldset>
        <legend>What it does</legend>
        <Choice
          type="radio"
          name="action"
          label="Opens an incident"
          checked={action === 'notify'}
          onChange={() => onChange({ ...form, action: 'notify' })}
        />
        {!isOfFamily(signal) && (
          <Choice
            type="radio"
            name="action"
            label="Opens an incident and disables the record, until somebody enables it again"
            checked={action === 'disable'}
            onChange={() => onChange({ ...form, action: 'disable' })}
          />
        )}
        <Choice label="Enabled" {...choice('enabled')} />
      </fieldset>
    </>
  );
}

interface RecordProperties {
  readonly projectId: number;
  readonly family: Family;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One record, or each of the family. */
function RecordSelect({ projectId, family, value, onChange }: RecordProperties) {
  const { data } = useFamily({ projectId, family }, RECORDS_STALE_MS);
  const names = new Map([['', EACH[family]]]);
  if (value !== '') names.set(value, `Record ${value}`);
  for (const record of data?.records ?? []) names.set(String(record.id), recordName(record));
  return <Select label="Record" options={names} value={value} onChange={onChange} />;
}
