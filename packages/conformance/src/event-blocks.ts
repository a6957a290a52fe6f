/** One event of a stream of server-sent events. Without a name, it only moves the cursor. */
export interface ReceivedEvent {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: unknown;
  readonly retry: number | null;
}

/** Returns a function that takes a piece of a stream, and returns the blocks that end in it: events and comments. */
export function eventBlocks(): (text: string) => readonly string[] {
  let begun = '';
  return (text) => {
    const blocks = (begun + text).split('\n\n');
    begun = blocks.pop() ?? '';
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

/** The fields of a block; a comment has none. */
export function fieldsOf(block: string): Partial<Record<string, string>> {
  const fields = block.split('\n').flatMap((line) => {
    const [, name, value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}
