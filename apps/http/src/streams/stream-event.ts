import type { WireReset } from '@plugin-config/contract';

/** An event of a stream. Without a name it only moves the caller's cursor: clients do not dispatch it. */
export interface StreamEvent<Name = string, Data = unknown> {
  /** The cursor after this event. */
  readonly id: string;
  readonly event?: Name;
  readonly data?: Data;
}

/** Events that are written together. A part shared by several streams is serialised once. */
export type StreamPart<Event extends StreamEvent = StreamEvent> = readonly Event[];

export type ResetEvent = StreamEvent<'reset', WireReset>;
export type CursorEvent = StreamEvent<never, never>;

export function resetEvent(id: string, reason: WireReset['reason']): ResetEvent {
  return { id, event: 'reset', data: { reason } };
}

/**
 * Returns a function that turns steps into parts. Streams that share a step share its part. `idOf` completes the cursors, and is the
 * same for all of them.
 */
export function partsOf<Step extends object, Event extends StreamEvent>(
  eventsOf: (step: Step) => StreamPart<Event>,
): (steps: AsyncIterable<Step>, idOf: (cursor: string) => string) => AsyncIterable<StreamPart<Event>> {
  const parts = new WeakMap<Step, StreamPart<Event>>();
  return async function* ofSteps(steps, idOf) {
    for await (const step of steps) {
      const part = parts.get(step) ?? eventsOf(step).map((event) => ({ ...event, id: idOf(event.id) }));
      parts.set(step, part);
      yield part;
    }
  };
}

const serialised = new WeakMap<StreamPart, Buffer>();

/** Serialises a part as server-sent events. */
export function bytesOf(part: StreamPart): Buffer {
  const cached = serialised.get(part);
  if (cached !== undefined) return cached;
  const bytes = Buffer.from(part.map(textOf).join(''));
  serialised.set(part, bytes);
  return bytes;
}

/** JSON text has no line breaks, so the data is a single line. */
function textOf({ id, event, data }: StreamEvent): string {
  const lines = event === undefined ? '' : `event: ${event}\ndata: ${JSON.stringify(data)}\n`;
  return `id: ${id}\n${lines}\n`;
}
