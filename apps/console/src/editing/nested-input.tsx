import type { Json, JsonObject } from '@plugin-config/client';
import { Plus, X } from 'lucide-react';
import { useId, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
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

/** How many values a form shows at first. Groups beyond that are opened on request. */
const ROOM = 500;
/** How many parts of a group are shown at once. */
const STEP = 50;

interface Properties {
  readonly field: Field & { readonly schema: JsonObject };
  readonly text: string;
  readonly problems: Problems;
  /** How many forms there are. */
  readonly forms: number;
  /** Called with the place of the edit. */
  readonly onEdit: (text: string, place: string) => void;
}

/** Edits an entry with a JSON Schema in a form, or as JSON. */
export function NestedInput({ field, text, problems, forms, onEdit }: Properties) {
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
          room={ROOM / forms}
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
  /** How many values may be shown at first. */
  readonly room: number;
  readonly onEdit: (tree: Tree | undefined, place: string) => void;
}

/** The inputs of a value. */
function PartInput(part: PartProperties) {
  const { field, schema, tree, problems, onEdit } = part;
  const shape = shapeOf(schema, tree);
  const { name, label, required } = field;
  if (shape.kind === 'list') return <ListInput {...part} shape={shape} />;
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
  const parts = shape.parts.map((one) => ({
    ...one,
    field: { ...textsOf(one.schema, one.key), name: `${name}.${one.key}`, required: one.required },
  }));
  return (
    <Group {...part} parts={parts.map((one) => one.field.name)}>
      {(count, room) =>
        parts.slice(0, count).map((one) => (
          <PartInput
            key={one.key}
            field={one.field}
            schema={one.schema}
            tree={object[one.key]}
            problems={problems}
            room={room}
            onEdit={(next, place) => {
              const changed = withPart(schema, object, one.key, next);
              onEdit(required === true || Object.keys(changed).length > 0 ? changed : undefined, place);
            }}
          />
        ))
      }
    </Group>
  );
}

type ListProperties = PartProperties & { readonly shape: Extract<Shape, { readonly kind: 'list' }> };

/** The inputs of the items of a list, with buttons that remove and add one. */
function ListInput({ shape: { item, min, max }, ...part }: ListProperties) {
  const { field, tree, problems, onEdit } = part;
  const { name, label } = field;
  const items = isList(tree) ? tree : [];
  const texts = textsOf(item, label);
  const fields = items.map((_, index) => ({
    ...texts,
    name: `${name}.${index}`,
    label: `${texts.label} ${index + 1}`,
  }));
  const list = useRef<HTMLOListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const [additions, setAdditions] = useState(0);
  useLayoutEffect(() => {
    if (additions > 0)
      list.current
        ?.querySelector<HTMLElement>(':scope > :last-child :is(input, textarea, select, button)')
        ?.focus();
  }, [additions]);
  const limits = [min > 0 ? `At least ${min}.` : '', max < Infinity ? `At most ${max}.` : ''];
  const hint = [field.hint ?? '', ...limits].join(' ').trim();
  return (
    <Group {...part} field={{ ...field, hint }} parts={fields.map((one) => one.name)}>
      {(count, room, show) => (
        <>
          <ol ref={list}>
            {fields.slice(0, count).map((one, index) => (
              <li key={one.name}>
                <PartInput
                  field={one}
                  schema={item}
                  tree={items[index]}
                  problems={problems}
                  room={room}
                  onEdit={(next, place) => onEdit(items.with(index, next ?? emptyItem(item)), place)}
                />
                <button
                  type="button"
                  className="small quiet icon"
                  aria-label={`Remove ${one.label}`}
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
          {count === items.length && (
            <button
              ref={adder}
              type="button"
              className="small"
              disabled={items.length >= max}
              onClick={() => {
                onEdit([...items, newItem(item)], `${name}.${items.length}`);
                show(items.length + 1);
                setAdditions(additions + 1);
              }}
            >
              <Plus />
              Add <span className="unseen">to {label}</span>
            </button>
          )}
        </>
      )}
    </Group>
  );
}

interface GroupProperties extends Pick<PartProperties, 'field' | 'problems' | 'room'> {
  /** The names of its parts. */
  readonly parts: readonly string[];
  /** Renders the first parts, each with its room. It may ask for more of them. */
  readonly children: (count: number, room: number, show: (count: number) => void) => ReactNode;
}

/** Several parts below a title. With too many, it is opened on request. */
function Group({ field, problems, room, parts, children }: GroupProperties) {
  const id = useId();
  const { name, label, required } = field;
  const [most, setMost] = useState(STEP);
  const show = (least: number): void => setMost(Math.max(most, least));
  const count = Math.min(parts.length, most);
  const [hasRoom] = useState(count <= room);
  const [isOpen, setOpen] = useState(hasRoom);
  const roomOfEach = ((hasRoom ? room : ROOM) - count) / (count + 1);
  const shown = isOpen ? parts.slice(0, count) : [];
  const problem = problemAt(problems, name, shown);
  return (
    <fieldset
      className="field"
      aria-describedby={`${id}-notes ${id}-problem`}
      data-invalid={problem !== undefined || undefined}
    >
      <legend>
        {label}
        {required === true && <span className="hint"> (required)</span>}
      </legend>
      <Notes id={id} field={field} />
      {!hasRoom && (
        <button type="button" className="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Open'} <span className="unseen">{label}</span>
        </button>
      )}
      {isOpen && children(count, roomOfEach, show)}
      {isOpen && count < parts.length && (
        <p className="actions">
          <button type="button" className="small" onClick={() => show(count + STEP)}>
            Show more <span className="unseen">of {label}</span>
          </button>
          <span className="hint">
            {count} of {parts.length}
          </span>
        </p>
      )}
      <p id={`${id}-problem`} className="problem">
        {problem}
      </p>
    </fieldset>
  );
}
