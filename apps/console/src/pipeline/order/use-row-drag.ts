import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { Destination } from './plan-move.ts';

interface Row {
  readonly id: number;
  readonly row: RefObject<HTMLElement | null>;
  /** The part of the row by which it is dragged. */
  readonly handle: RefObject<HTMLElement | null>;
  readonly onDrag: (id: number) => void;
}

/** Lets a row be dragged, and dropped beside. Returns the edge at which a dragged row would be dropped now. */
export function useRowDrag({ id, row, handle, onDrag }: Row): string | null {
  const [edge, setEdge] = useState<string | null>(null);
  const tellDrag = useEffectEvent(() => onDrag(id));
  useEffect(() => {
    const element = row.current;
    const dragHandle = handle.current;
    if (element === null || dragHandle === null) return undefined;
    return combine(
      draggable({ element, dragHandle, getInitialData: () => ({ id }), onDragStart: () => tellDrag() }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data['id'] !== id,
        getData: ({ input }) =>
          attachClosestEdge({ id }, { element, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => setEdge(extractClosestEdge(self.data)),
        onDragLeave: () => setEdge(null),
        onDrop: () => setEdge(null),
      }),
    );
  }, [id, row, handle]);
  return edge;
}

/** Tells which row was dropped beside which one. */
export function useRowDrop(onDrop: (id: number, to: Destination) => void): void {
  const tellDrop = useEffectEvent(onDrop);
  useEffect(
    () =>
      monitorForElements({
        onDrop: ({ source, location }) => {
          const target = location.current.dropTargets[0]?.data;
          const [id, beside] = [source.data['id'], target?.['id']];
          if (target === undefined || typeof id !== 'number' || typeof beside !== 'number') return;
          tellDrop(id, extractClosestEdge(target) === 'top' ? { before: beside } : { after: beside });
        },
      }),
    [],
  );
}
