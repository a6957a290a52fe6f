import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { Destination } from './plan-move.ts';

/** Makes the row of a handle draggable and a drop target. Returns the edge where a dragged row would be dropped. */
export function useRowDrag(
  id: number,
  handle: RefObject<HTMLElement | null>,
  onDrag: (id: number) => void,
): string | null {
  const [edge, setEdge] = useState<string | null>(null);
  const reportDrag = useEffectEvent(() => onDrag(id));
  useEffect(() => {
    const dragHandle = handle.current;
    const element = dragHandle?.closest('[data-id]');
    if (dragHandle === null || !(element instanceof HTMLElement)) return undefined;
    return combine(
      draggable({ element, dragHandle, getInitialData: () => ({ id }), onDragStart: () => reportDrag() }),
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
  }, [id, handle]);
  return edge;
}

/** Reports which row was dropped where. */
export function useRowDrop(onDrop: (id: number, to: Destination) => void): void {
  const reportDrop = useEffectEvent(onDrop);
  useEffect(
    () =>
      monitorForElements({
        onDrop: ({ source, location }) => {
          const target = location.current.dropTargets[0]?.data;
          const [id, neighbour] = [source.data['id'], target?.['id']];
          if (target === undefined || typeof id !== 'number' || typeof neighbour !== 'number') return;
          reportDrop(id, extractClosestEdge(target) === 'top' ? { before: neighbour } : { after: neighbour });
        },
      }),
    [],
  );
}
