import type { ConfigRecord } from '@plugin-config/client';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Virtualizer, type CustomItemComponentProps, type VirtualizerHandle } from 'virtua';
import { useMayWrite } from '../session/session.ts';
import { FAMILIES, familyPath, type FamilyRef } from '../shell/addresses.ts';
import { ReadError, useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { recordsOf, selectionsKey } from '../live/use-family.ts';
import { useMarked } from '../live/use-marked.ts';
import { matches, type Filters } from './filters.ts';
import { handleId, MoveMenu } from './order/move-menu.tsx';
import { planMove, type Destination } from './order/plan-move.ts';
import { PositionDialog } from './order/position-dialog.tsx';
import { useMoves } from './order/use-moves.ts';
import { useRowDrop } from './order/use-row-drag.ts';
import { RecordRow } from './record-row.tsx';
import { RowMenu } from './row-menu.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useRecentDeliveries } from './use-recent-deliveries.ts';

/** The height of a row on a wide page. Other heights are measured. */
const ROW_PIXELS = 44;
/** The height of the header, which stays at the top while the rows scroll. */
const HEAD_PIXELS = 32;
/** The number of rows whose deliveries are read at once. */
const PAGE = 100;
/** The distance of pages in rows. They overlap by more than fits on a screen. */
const PAGE_STEP = 25;

/** Repeated reports of the same error don't change records, so the stream doesn't send them. */
const REFRESH_MS = 60_000;

/** The times of the last errors by record id. */
function useErrorTimes(at: FamilyRef): ReadonlyMap<number, string> | undefined {
  return useRead(
    [...selectionsKey(at), 'errors'],
    async (options) => {
      const errors = await Array.fromAsync(recordsOf(at).errors({ limit: 1000 }, options));
      return new Map(errors.map(({ record, reported_at: time }) => [record, time]));
    },
    { refetchInterval: REFRESH_MS, structuralSharing: false },
  ).data;
}

/** The class and the heading of each column. */
const COLUMNS = {
  handle: <span className="unseen">Move</span>,
  select: 'Select',
  position: '#',
  enabled: 'Enabled',
  name: 'Name',
  plugin: 'Plugin',
  error: 'Last error',
  rate: 'Success (24 h)',
  more: <span className="unseen">Actions</span>,
};

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

/** The scroll offset of each list when the user left it. */
const OFFSETS = new Map<string, number>();

interface Properties {
  readonly at: FamilyRef;
  /** All records of the family, in order. */
  readonly records: readonly ConfigRecord[];
  readonly filters: Filters;
  /** Shown if no records match the filters. */
  readonly children: ReactNode;
}

/** The matching records of a family, which can be moved. */
export function RecordTable({ at, records, filters, children }: Properties) {
  const mayWrite = useMayWrite();
  const { move, isMoving, error, lastMove, expected, expectedNow } = useMoves(at, records);
  const errorTimes = useErrorTimes(at);
  const { ids: invalid, error: invalidError } = useMarked(at, 'invalid');
  const { ids: outdated, error: outdatedError } = useMarked(at, 'outdated', filters.outdated !== '');
  const rows = useMemo(
    () => expected.filter((record) => matches(record, filters, { invalid, outdated })),
    [expected, filters, invalid, outdated],
  );
  /** The record whose row was used last. The row stays mounted to keep the focus. */
  const [activeId, setActiveId] = useState<number | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const select = useCallback((id: number, isOn: boolean): void => {
    setSelected((before) =>
      isOn ? new Set(before).add(id) : new Set([...before].filter((one) => one !== id)),
    );
  }, []);
  const [isChoosingPosition, setChoosingPosition] = useState(false);
  const index = rows.findIndex(({ id }) => id === activeId);
  const record = rows[index];
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [firstShown, setFirstShown] = useState(0);
  const first = Math.max(0, Math.min(firstShown, rows.length - PAGE));
  const deliveries = useRecentDeliveries(
    at,
    rows.slice(first, first + PAGE).map(({ id }) => id),
  );
  const moved = useRef<number | null>(null);

  const moveTo = (id: number, to: Destination): void => {
    if (planMove(expectedNow(), id, to) === null) return;
    moved.current = id;
    move(id, to);
  };
  const address = familyPath(at);
  useEffect(() => {
    const offset = OFFSETS.get(address);
    if (offset !== undefined) list.current?.scrollTo(offset);
  }, [address]);

  const tryAgain = (): void => {
    if (lastMove === undefined) return;
    document.getElementById(handleId(lastMove.id))?.focus();
    moveTo(lastMove.id, lastMove.to);
  };
  // Scrolls to a record that was moved out of sight.
  useEffect(() => {
    const place = rows.findIndex(({ id }) => id === moved.current);
    moved.current = null;
    if (place !== -1) list.current?.scrollToIndex(place, { align: 'nearest' });
  }, [rows]);

  const hidden = new Set([
    ...(mayWrite ? [] : ['handle', 'select', 'more']),
    at.family === 'plugin_configs' ? '' : 'rate',
  ]);
  const columns = Object.entries(COLUMNS).filter(([column]) => !hidden.has(column));
  const onKeyDown = (event: KeyboardEvent): void => {
    const [id, by] = [rowIdOf(event.target), STEPS[event.key]];
    if (!mayWrite || !event.altKey || by === undefined || id === null) return;
    event.preventDefault();
    const shown = expectedNow().filter((one) => matches(one, filters, { invalid, outdated }));
    const neighbour = shown[shown.findIndex((one) => one.id === id) + by];
    if (neighbour !== undefined) moveTo(id, by === 1 ? { after: neighbour.id } : { before: neighbour.id });
  };
  useRowDrop(move);
  return (
    <>
      <ErrorNote error={error} retry={tryAgain} />
      <ReadError error={invalidError ?? outdatedError} />
      <div
        role="table"
        aria-label={FAMILIES[at.family]}
        aria-rowcount={rows.length + 1}
        aria-busy={isMoving}
        className={`record-table ${at.family} ${mayWrite ? 'writable' : ''}`}
        hidden={rows.length === 0}
      >
        {/* Handles the keys and the focus of the rows, which scrolling mounts and unmounts. */}
        <div
          ref={scroller}
          role="presentation"
          className="record-rows"
          onKeyDown={onKeyDown}
          onFocus={({ target }) => setActiveId(rowIdOf(target) ?? activeId)}
        >
          <div role="rowgroup" className="record-head">
            <div role="row" aria-rowindex={1} className="record-row">
              {columns.map(([column, title]) => (
                <div key={column} role="columnheader" className={column} style={{ gridArea: column }}>
                  {column === 'select' ? (
                    <input
                      type="checkbox"
                      aria-label="Select all"
                      checked={rows.every(({ id }) => selected.has(id))}
                      onChange={({ target }) =>
                        setSelected(new Set(target.checked ? rows.map(({ id }) => id) : []))
                      }
                    />
                  ) : (
                    title
                  )}
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup">
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              startMargin={HEAD_PIXELS}
              data={rows}
              item={Item}
              itemSize={ROW_PIXELS}
              keepMounted={index === -1 ? [] : [index]}
              onScroll={(offset) => OFFSETS.set(address, offset)}
              onScrollEnd={() => {
                const row = list.current?.findItemIndex(list.current.scrollOffset) ?? 0;
                setFirstShown(Math.floor(row / PAGE_STEP) * PAGE_STEP);
              }}
            >
              {(one) => (
                <RecordRow
                  key={one.id}
                  at={at}
                  record={one}
                  isInvalid={invalid.has(one.id)}
                  errorAt={errorTimes?.get(one.id)}
                  deliveries={deliveries.get(one.id)}
                  onActivate={mayWrite ? setActiveId : undefined}
                  isSelected={selected.has(one.id)}
                  onSelect={select}
                />
              )}
            </Virtualizer>
          </div>
        </div>
      </div>
      {rows.length === 0 && children}
      {mayWrite && (
        <>
          <MoveMenu
            record={record}
            previous={rows[index - 1]}
            next={rows[index + 1]}
            onMove={moveTo}
            onChoosePosition={() => setChoosingPosition(true)}
          />
          <RowMenu at={at} record={record} />
          <SelectionBar
            at={at}
            records={rows.filter(({ id }) => selected.has(id))}
            onClear={() => setSelected(new Set())}
          />
        </>
      )}
      {isChoosingPosition && record !== undefined && (
        <PositionDialog
          record={record}
          records={expected}
          onMove={(position) => {
            setChoosingPosition(false);
            moveTo(record.id, { position });
          }}
          onClose={() => setChoosingPosition(false)}
        />
      )}
    </>
  );
}

/** Returns the id of the record whose row contains the element. */
function rowIdOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null;
  return row === null ? null : Number(row.dataset['id']);
}

function Item({ style, index, children, ref }: CustomItemComponentProps) {
  return (
    // A row that moves to an unmeasured place would be hidden briefly and lose the focus.
    <div role="row" aria-rowindex={index + 2} style={{ ...style, visibility: 'visible' }} ref={ref}>
      {children}
    </div>
  );
}
