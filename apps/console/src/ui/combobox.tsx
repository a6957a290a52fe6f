import { Search, type LucideIcon } from 'lucide-react';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { ErrorNote } from './states.tsx';

/** Something to choose. */
export interface Option {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly title: string;
  /** Its kind, its other name, or where it is. */
  readonly hint: string;
  /** The page that it leads to. */
  readonly href?: string;
}

interface Properties<O extends Option> {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The options that match the text, best first. */
  readonly options: readonly O[];
  /** Whether more may follow. */
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onChoose: (option: O) => void;
}

/** A text field above the options that match it. Arrow keys move between them, and Enter chooses. */
export function Combobox<O extends Option>({
  label,
  text,
  onText,
  options,
  isPending,
  error,
  onChoose,
}: Properties<O>) {
  const id = useId();
  const [marked, setMarked] = useState(0);
  const index = Math.min(marked, options.length - 1);
  const current = options[index];
  const currentId = current && `${id}-${current.id}`;
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') {
      if (current !== undefined) onChoose(current);
    } else if (step === undefined) return;
    else if (options.length > 0) setMarked((index + step + options.length) % options.length);
    event.preventDefault();
  };
  return (
    <>
      <div className="search">
        <Search />
        <input
          role="combobox"
          aria-label={label}
          placeholder={label}
          aria-expanded={options.length > 0}
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={currentId}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            onText(target.value);
            setMarked(0);
          }}
        />
      </div>
      <div role="listbox" className="options" id={id} aria-label="Results" hidden={options.length === 0}>
        {options.map((option) => {
          const { icon: Icon, href } = option;
          const properties = {
            id: `${id}-${option.id}`,
            role: 'option',
            className: 'item',
            tabIndex: -1,
            'aria-selected': option === current,
            onClick: (event: { preventDefault: () => void }) => {
              event.preventDefault();
              onChoose(option);
            },
            children: (
              <>
                <Icon />
                <bdi className="ellipsis">{option.title}</bdi>
                <span className="hint end">{option.hint}</span>
              </>
            ),
          };
          return href === undefined ? (
            <div key={option.id} {...properties} />
          ) : (
            <Link key={option.id} href={href} {...properties} />
          );
        })}
      </div>
      <ErrorNote error={error} />
      <p className="hint" role="status">
        {options.length > 0 || error !== null ? '' : isPending ? 'Searching…' : 'Nothing found'}
      </p>
    </>
  );
}
