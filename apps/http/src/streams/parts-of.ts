import type { StreamEvent, StreamPart } from './stream-event.ts';

/** Makes parts of the steps of a stream. Streams that share a step share its part. */
export function partsOf<Step extends object, Event extends StreamEvent>(
  eventsOf: (step: Step) => StreamPart<Event>,
): (steps: AsyncIterable<Step>) => AsyncIterable<StreamPart<Event>> {
  const parts = new WeakMap<Step, StreamPart<Event>>();
  return async function* ofSteps(steps) {
    for await (const step of steps) {
      const part = parts.get(step) ?? eventsOf(step);
      parts.set(step, part);
      yield part;
    }
  };
}
