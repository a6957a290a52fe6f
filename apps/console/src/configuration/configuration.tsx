import { SlidersHorizontal } from 'lucide-react';
import { fieldsOf } from '../editing/field.ts';
import { RecordForm } from '../editing/record-form.tsx';
import { useEditing } from '../editing/use-editing.ts';
import { configWith } from '../record/changes.ts';
import { Details } from '../record/details.tsx';
import { pluginInfoOf } from '../record/plugin-info.ts';
import type { ScreenProperties } from '../record/use-record.ts';
import { useMayConfigure, useMayRead } from '../session/session.ts';
import { Empty } from '../ui/states.tsx';
import { useDeclared } from '../versions/use-declared.ts';
import { CheckButton, CheckOutcome } from './check-outcome.tsx';
import { ConfigurationFacts } from './configuration-facts.tsx';
import { configurationForm } from './configuration-form.ts';
import { useCheck } from './use-check.ts';

/** The configuration of a record and, for those without its overview, its name and description. */
export function Configuration({ at, record }: ScreenProperties) {
  const mayConfigure = useMayConfigure();
  const mayRead = useMayRead(at.projectId);
  return (
    <div className="stack">
      <Settings at={at} record={record} />
      {mayConfigure && !mayRead && <Details key={at.id} at={at} record={record} />}
    </div>
  );
}

/** The configuration as a form or as JSON. */
function Settings({ at, record }: ScreenProperties) {
  const mayConfigure = useMayConfigure();
  const form = configurationForm(record);
  if (fieldsOf(form).length === 0) {
    return (
      <Empty icon={SlidersHorizontal} title="Nothing to configure">
        <p>This plugin has no settings.</p>
      </Empty>
    );
  }
  if (mayConfigure) return <EditedConfiguration key={at.id} at={at} record={record} />;
  return (
    <section className="panel">
      <ConfigurationFacts form={form} />
    </section>
  );
}

function EditedConfiguration({ at, record }: ScreenProperties) {
  const info = pluginInfoOf(record);
  const hasJson = info?.config_schema?.some(({ type, secret }) => type === 'json' && secret !== true);
  const { data: declared } = useDeclared(at, record, hasJson === true);
  const editing = useEditing(at, record, (shown) => configurationForm(shown, declared));
  const { base, form, mistakes, changes, reject } = editing;
  const draft = { plugin: base.plugin, config: configWith(base, changes), record: at.id };
  const check = useCheck({ at, form, mistakes, reject, draft });
  const canCheck = info?.checks === true;
  return (
    <section className="panel">
      <RecordForm editing={editing} title="Configuration" actions={canCheck && <CheckButton check={check} />}>
        <CheckOutcome at={at} form={form} check={check} />
      </RecordForm>
    </section>
  );
}
