import { Fragment } from 'react';
import { secretText } from '../editing/reference.ts';
import { othersText, storedText, type Field, type Form } from '../editing/field.ts';

/** A configuration for those who may not change it. */
export function ReadOnlyForm({ form }: { readonly form: Form }) {
  return (
    <dl className="facts">
      {form.fields.map((field) => (
        <Fragment key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <pre>{textOf(field)}</pre>
          </dd>
        </Fragment>
      ))}
      {form.others !== null && (
        <>
          <dt>{form.fields.length === 0 ? 'Configuration' : 'Other entries'}</dt>
          <dd>
            <pre>{othersText(form.others)}</pre>
          </dd>
        </>
      )}
    </dl>
  );
}

function textOf(field: Field): string {
  if (field.secret === true) return secretText(field.stored);
  return field.stored === undefined ? 'Not set' : storedText(field);
}
