import type { Json, JsonObject } from '@plugin-config/client';
import { Plus, X } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { FieldInput, Notes } from './field-input.tsx';
import { storedText, type Field } from './field.ts';
import {
  emptyItem,
  hasProblem,
  inputText,
  inputValue,
  isList,
  isObject,
  newItem,
  shapeOf,
  textOf,
  textsOf,
  treeIn,
  Typed,
  withoutReferences,
  withPart,
  type Shape,
  type Tree,
} from './nested-shape.ts';
import { problemAt, type Problems } from './problems.ts';

interface Properties {
  readonly field: Field & { readonly schema: JsonObject };
  readonly text: string;
  readonly problems: Problems;
  /** Called with the place of the edit. */
  readonly onEdit: (text: string, place: string) => void;
}

/** Edits an entry with a JSON Schema in a form, or as JSON. */
export function NestedInput({ field, text, problems, onEdit }: Properties) {
  const { name, label } = field;
  const [entered, setEntered] = useState({ text, tree: treeIn(text) });
  const [isText, setText] = useState(false);
  const schema = useMemo(() => withoutReferences(field.schema), [field.schema]);
  const tree = entered.text === text ? entered.tree : treeIn(text);
  const shape = shapeOf(schema, tree);
  const hasForm = shape.kind !== 'leaf' || shape.leaf.type !== 'json';
  // What was typed says itself why the whole is not valid JSON.
  const shown = hasProblem(tree) ? new Map([...problems].filter(([place]) => place !== name)) : problems;
  return (
    <div className="nested">
      {hasForm && !isText ? (
        <PartInput
          field={{ ...textsOf(schema, name), ...field }}
          schema={schema}
          tree={tree}
          problems={shown}
          onEdit={(next, place) => {
            const written = next === undefined ? '' : textOf(next);
            setEntered({ text: written, tree: next });
            onEdit(written, place);
          }}
        />
      ) : (
        <FieldInput
          field={{ ...field, label: `${label} (JSON)` }}
          draft={text}
          problem={problemAt(problems, name)}
          onEdit={(next) => onEdit(next ?? storedText(field), name)}
        />
      )}
      {(isText || shape.kind !== 'leaf') && (
        <button type="button" className="small quiet" disabled={!hasForm} onClick={() => setText(!isText)}>
          {isText ? 'Edit in a form' : 'Edit as JSON'} <span className="unseen">{label}</span>
        </button>
      )}
    </div>
  );
}

interface PartProperties {
  /** Named after the place of the value. */
  readonly field: Omit<Field, 'type' | 'stored'>;
  readonly schema: JsonObject;
  readonly tree: Tree | undefined;
  readonly problems: Problems;
  readonly onEdit: (tree: Tree | undefined, place: string) => void;
}

/** The inputs of a value. */
function PartInput({ field, schema, tree, problems, onEdit }: PartProperties) {
  const shape = shapeOf(schema, tree);
  const { name, label, required } = field;
  if (shape.kind === 'list') return <ListInput {...{ field, schema, tree, problems, onEdit, shape }} />;
  if (shape.kind === 'leaf') {
    const { type } = shape.leaf;
    const isChosen = type === 'choice' || type === 'boolean';
    return (
      <FieldInput
        field={{
          ...field,
          ...shape.leaf,
          label: type === 'json' ? `${label} (JSON)` : label,
          stored: isChosen ? (tree as Json) : undefined,
        }}
        draft={inputText(tree, type)}
        problem={(tree instanceof Typed ? tree.problem : undefined) ?? problemAt(problems, name)}
        onEdit={(text) => onEdit(inputValue(text ?? '', type), name)}
      />
    );
  }
  const object = isObject(tree) ? tree : {};
  const fields = shape.parts.map((part) => ({
    ...part,
    field: { ...textsOf(part.schema, part.key), name: `${name}.${part.key}`, required: part.required },
  }));
  return (
    <Group
      field={field}
      problem={problemAt(
        problems,
        name,
        fields.map((part) => part.field.name),
      )}
    >
      {fields.map((part) => (
        <PartInput
          key={part.key}
          field={part.field}
          schema={part.schema}
          tree={object[part.key]}
          problems={problems}
          onEdit={(next, place) => {
            const changed = withPart(schema, object, part.key, next);
            onEdit(required === true || Object.keys(changed).length > 0 ? changed : undefined, place);
          }}
        />
      ))}
    </Group>
  );
}

type ListProperties = PartProperties & { readonly shape: Extract<Shape, { readonly kind: 'list' }> };

/** The inputs of the items of a list, with buttons that remove and add one. */
function ListInput({ field, tree, problems, onEdit, shape: { item, min, max } }: ListProperties) {
  const { name, label } = field;
  const items = isList(tree) ? tree : [];
  const fields = items.map((_, index) => ({
    ...textsOf(item, label),
    name: `${name}.${index}`,
  }));
  const list = useRef<HTMLOListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const [additions, setAdditions] = useState(0);
  useEffect(() => {
    if (additions > 0)
      list.current
        ?.querySelector<HTMLElement>(':scope > :last-child :is(input, textarea, select, button)')
        ?.focus();
  }, [additions]);
  const limits = [min > 0 ? `At least ${min}.` : '', max < Infinity ? `At most ${max}.` : ''];
  return (
    <Group
      field={{ ...field, hint: [field.hint ?? '', ...limits].join(' ').trim() }}
      problem={problemAt(
        problems,
        name,
        fields.map((one) => one.name),
      )}
    >
      <ol ref={list}>
        {fields.map((one, index) => (
          <li key={one.name}>
            <PartInput
              field={{ ...one, label: `${one.label} ${index + 1}` }}
              schema={item}
              tree={items[index]}
              problems={problems}
              onEdit={(next, place) => onEdit(items.with(index, next ?? emptyItem(item)), place)}
            />
            <button
              type="button"
              className="small quiet icon"
              aria-label={`Remove ${one.label} ${index + 1}`}
              disabled={items.length <= min}
              onClick={() => {
                onEdit(items.toSpliced(index, 1), name);
                adder.current?.focus();
              }}
            >
              <X />
            </button>
          </li>
        ))}
      </ol>
      <button
        ref={adder}
        type="button"
        className="small"
        disabled={items.length >= max}
        onClick={() => {
          onEdit([...items, newItem(item)], `${name}.${items.length}`);
          setAdditions(additions + 1);
        }}
      >
        <Plus />
        Add <span className="unseen">to {label}</span>
      </button>
    </Group>
  );
}

interface GroupProperties {
  readonly field: PartProperties['field'];
  readonly problem: string | undefined;
  readonly children: ReactNode;
}

function Group({ field, problem, children }: GroupProperties) {
  const id = useId();
  return (
    <fieldset
      className="field"
      aria-describedby={`${id}-notes ${id}-problem`}
      data-invalid={problem !== undefined || undefined}
    >
      <legend>
        {field.label}
        {field.required === true && <span className="hint"> (required)</span>}
      </legend>
      <Notes id={id} field={field} />
      {children}
      <p id={`${id}-problem`} className="problem">
        {problem}
      </p>
    </fieldset>
  );
}
