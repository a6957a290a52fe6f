import { setImmediate as nextTurn } from 'node:timers/promises';

/** Reading texts of this length takes a few milliseconds. */
const PAUSE_CHARACTERS = 128 * 1024;
/** A shorter text counts as this many: reading it takes about as long. */
const TEXT_CHARACTERS = 1024;

/** Returns a function to call after reading a text of a long list. It lets other work run after every few milliseconds. */
export function readingPauses(): (characters: number) => Promise<void> | undefined {
  let read = 0;
  return (characters) => {
    read += Math.max(TEXT_CHARACTERS, characters);
    if (read < PAUSE_CHARACTERS) return undefined;
    read = 0;
    return nextTurn();
  };
}
