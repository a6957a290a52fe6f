import { Fragment } from 'react';
import { fieldsOf, type Field, type Form } from '../editing/field.ts';
import { secretText } from '../editing/reference.ts';
import { valueText } from '../record/changes.ts';

/** The fields of a form with their values. Secrets are only set or not set. */
export function ConfigurationFacts({ form }: { readonly form: Form }) {
  return (
    <dl className="facts">
      {fieldsOf(form).map((field) => (
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

function textOf(field: Field): string {
  const { stored } = field;
  if (field.secret === true) return secretText(stored);
  return stored === undefined ? 'Not set' : valueText(stored);
}
