/** A server-sent event. Without a name, it only moves the cursor. */
export interface ReceivedEvent {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: unknown;
  readonly retry: number | null;
}

/** Returns a function that takes a piece of a stream, and returns the blocks (events and comments) that end in it. */
export function eventBlocks(): (text: string) => readonly string[] {
  let incomplete = '';
  return (text) => {
    const blocks = (incomplete + text).split('\n\n');
    incomplete = blocks.pop() ?? '';
    return blocks;
  };
}

/** Parses a block; null if it is a comment. */
export function eventOf(block: string): ReceivedEvent | null {
  if (block.startsWith(':')) return null;
  const { id = null, event = null, data, retry } = fieldsOf(block);
  return {
    id,
    event,
    data: data === undefined ? null : JSON.parse(data),
    retry: retry === undefined ? null : Number(retry),
  };
}

/** Returns the fields of a block. A comment has none. */
export function fieldsOf(block: string): Partial<Record<string, string>> {
  const fields = block.split('\n').flatMap((line) => {
    const [, name, value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}
