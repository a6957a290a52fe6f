import { lazy, Suspense } from 'react';
import { Loading } from '../ui/states.tsx';
import { FieldInput } from './field-input.tsx';
import { storedText, type Draft, type Drafts, type Field } from './field.ts';
import { problemAt, type Problems } from './problems.ts';

const NestedInput = lazy(async () => ({ default: (await import('./nested-input.tsx')).NestedInput }));

interface Properties {
  readonly fields: readonly Field[];
  readonly drafts: Drafts;
  readonly problems: Problems;
  /** Called with the place of the edit: the name of the field, and the path within its value. */
  readonly onEdit: (name: string, draft: Draft | undefined, place: string) => void;
}

export function FieldInputs({ fields, drafts, problems, onEdit }: Properties) {
  const forms = fields.filter(({ schema }) => schema !== undefined).length;
  return fields.map((field) => {
    const { name, schema, secret } = field;
    const draft = drafts.get(name);
    return schema === undefined || secret === true ? (
      <FieldInput
        key={name}
        field={field}
        draft={draft}
        problem={problemAt(problems, name)}
        onEdit={(next) => onEdit(name, next, name)}
      />
    ) : (
      <Suspense key={name} fallback={<Loading what="form" />}>
        <NestedInput
          field={{ ...field, schema }}
          text={draft ?? storedText(field)}
          problems={problems}
          forms={forms}
          onEdit={(text, place) => onEdit(name, text === storedText(field) ? undefined : text, place)}
        />
      </Suspense>
    );
  });
}
