import type { ConfigRecord } from '@plugin-config/client';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Virtualizer, type CustomItemComponentProps, type VirtualizerHandle } from 'virtua';
import { FAMILIES, familyPath, type FamilyRef } from '../shell/addresses.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { useErrorTimes } from '../live/use-errors.ts';
import { matches, type Filters } from './filters.ts';
import { handleId, MoveMenu } from './order/move-menu.tsx';
import { planMove, type Destination } from './order/plan-move.ts';
import { PositionDialog } from './order/position-dialog.tsx';
import { useExpectedOrder, useMoves } from './order/use-moves.ts';
import { useRowDrop } from './order/use-row-drag.ts';
import { useRowKeys } from './order/use-row-keys.ts';
import { RecordRow } from './record-row.tsx';

/** The height of a row on a wide page. On a narrow page it is measured. */
const ROW_PIXELS = 48;

const TRANSFORMATION_COLUMNS = {
  position: 'Position',
  enabled: 'Enabled',
  name: 'Name',
  plugin: 'Plugin',
  error: 'Last error',
} as const;

/** The class and the heading of each column. */
const COLUMNS = {
  plugin_configs: { ...TRANSFORMATION_COLUMNS, rate: 'Success (24 h)' },
  pipeline_transformation_configs: TRANSFORMATION_COLUMNS,
} as const;

/** The scroll offset of each list when the user left it. */
const OFFSETS = new Map<string, number>();

interface Properties {
  readonly at: FamilyRef;
  /** All records of the family, in order. */
  readonly records: readonly ConfigRecord[];
  readonly filters: Filters;
  readonly mayWrite: boolean;
  /** Shown if no records match the filters. */
  readonly nothing: ReactNode;
}

/** The matching records of a family, which can be moved. */
export function RecordTable({ at, records, filters, mayWrite, nothing }: Properties) {
  const { move, isMoving, error, lastMove, expectedNow } = useMoves(at);
  const errorTimes = useErrorTimes(at);
  const expected = useExpectedOrder(at, records);
  const rows = useMemo(() => expected.filter((record) => matches(record, filters)), [expected, filters]);
  /** The record whose row was used last. The row stays mounted to keep the focus. */
  const [activeId, setActiveId] = useState<number | null>(null);
  const [isChoosingPosition, setChoosingPosition] = useState(false);
  const index = rows.findIndex(({ id }) => id === activeId);
  const record = rows[index];
  const list = useRef<VirtualizerHandle>(null);
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

  const body = useRef<HTMLDivElement>(null);
  useRowKeys(body, {
    onActivate: setActiveId,
    onStep: (id, by) => {
      const shown = expectedNow().filter((one) => matches(one, filters));
      const neighbour = shown[shown.findIndex((one) => one.id === id) + by];
      if (!mayWrite || neighbour === undefined) return;
      moveTo(id, by === 1 ? { after: neighbour.id } : { before: neighbour.id });
    },
  });
  useRowDrop(move);
  return (
    <>
      {error !== null && <ErrorNote error={error} retry={tryAgain} />}
      <div
        role="table"
        aria-label={FAMILIES[at.family]}
        aria-rowcount={rows.length + 1}
        aria-busy={isMoving}
        className={`record-table ${at.family} ${mayWrite ? 'writable' : ''}`}
        hidden={rows.length === 0}
      >
        <Headings at={at} mayWrite={mayWrite} />
        <div role="rowgroup" className="record-rows" ref={body}>
          <Virtualizer
            ref={list}
            data={rows}
            item={Item}
            itemSize={ROW_PIXELS}
            keepMounted={index === -1 ? [] : [index]}
            onScroll={(offset) => OFFSETS.set(address, offset)}
          >
            {(one) => (
              <RecordRow
                key={one.id}
                at={at}
                record={one}
                errorAt={errorTimes?.get(one.id)}
                onActivate={mayWrite ? setActiveId : undefined}
              />
            )}
          </Virtualizer>
        </div>
      </div>
      {rows.length === 0 && nothing}
      {mayWrite && (
        <MoveMenu
          record={record}
          previous={rows[index - 1]}
          next={rows[index + 1]}
          onMove={moveTo}
          onChoosePosition={() => setChoosingPosition(true)}
        />
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

function Headings({ at, mayWrite }: Pick<Properties, 'at' | 'mayWrite'>) {
  return (
    <div role="rowgroup" className="record-head">
      <div role="row" aria-rowindex={1} className="record-row">
        {mayWrite && (
          <div role="columnheader" className="handle">
            <span className="unseen">Move</span>
          </div>
        )}
        {Object.entries(COLUMNS[at.family]).map(([column, title]) => (
          <div key={column} role="columnheader" className={column}>
            {title}
          </div>
        ))}
      </div>
    </div>
  );
}

function Item({ style, index, children, ref }: CustomItemComponentProps) {
  return (
    // A row that moves to an unmeasured place would be hidden briefly and lose the focus.
    <div role="row" aria-rowindex={index + 2} style={{ ...style, visibility: 'visible' }} ref={ref}>
      {children}
    </div>
  );
}
