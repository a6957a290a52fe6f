/** One event of a stream. Its id is the place in the stream: with it, another stream goes on after this event. */
export interface StreamEvent<Name extends string = string, Data = unknown> {
  readonly event: Name;
  readonly id: string;
  readonly data: Data;
}
