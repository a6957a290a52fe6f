import type { FairQueue } from '@plugin-config/domain';
import { breather } from '../../loops/breather.ts';
import { BATCH_CHARACTERS, BATCH_MESSAGES } from '../batch-limits.ts';
import { TURN_CHARACTERS, TURN_MESSAGES, type Portion, type Push } from './push.ts';

/** What is stored in one step. */
export interface Gathered {
  readonly portions: readonly Portion[];
  /** To be called when it is stored, or will not be. */
  end(): void;
}

/** What a line counts at least, so that a turn of short lines counts as one of long lines. */
const LINE_CHARACTERS = Math.ceil(TURN_CHARACTERS / TURN_MESSAGES);
/** Of each kind, so that one of the other kind is stored beside them. */
const MOST_OF_A_KIND = 2;

/**
 * Gathers portions of pushes into batches. Who has more than a turn on its way into the store gets batches of its own;
 * the few lines of others travel together, and wait neither for the many lines nor for what these lock.
 * The returned function resolves to null where nothing may be taken now.
 */
export function batchGatherer(queue: FairQueue<number, Push>): () => Promise<Gathered | null> {
  const storing = new Map<number, number>();
  const running = { own: 0, common: 0 };
  const add = (holder: number, weight: number): void => {
    const sum = (storing.get(holder) ?? 0) + weight;
    if (sum > 0) storing.set(holder, sum);
    else storing.delete(holder);
  };
  const hasMany = (holder: number): boolean => (storing.get(holder) ?? 0) >= TURN_CHARACTERS;
  const kindOf = (holder: number): keyof typeof running => (hasMany(holder) ? 'own' : 'common');
  const hasRoom = (kind: keyof typeof running): boolean => running[kind] < MOST_OF_A_KIND;

  return async () => {
    const { isDue, breathe } = breather();
    const portions: Portion[] = [];
    const holders = new Set<number>();
    let owner: number | null = null;
    let messages = 0;
    let characters = 0;
    const fits = (holder: number): boolean => {
      if (owner !== null) return holder === owner;
      return messages === 0 ? hasRoom(kindOf(holder)) : !hasMany(holder);
    };
    const take = (push: Push): void => {
      if (messages === 0 && hasMany(push.holder)) owner = push.holder;
      holders.add(push.holder);
      const portion = push.take();
      if (!push.isTaken) queue.add(push.holder, push);
      if (portion.lines.length > 0) portions.push(portion);
      add(push.holder, weightOf(portion));
      messages += portion.lines.length;
      characters += portion.characters;
    };
    const isFull = (): boolean => messages >= BATCH_MESSAGES || characters >= BATCH_CHARACTERS;
    while (!isFull()) {
      const push = queue.next(fits);
      if (push !== undefined) take(push);
      else if (owner === null && holders.size === 1 && hasRoom('own')) [owner = null] = holders;
      else break;
      if (isDue()) await breathe();
    }
    if (portions.length === 0) return null;
    const kind = owner === null ? 'common' : 'own';
    running[kind]++;
    return {
      portions,
      end: () => {
        running[kind]--;
        for (const portion of portions) add(portion.push.holder, -weightOf(portion));
      },
    };
  };
}

function weightOf({ lines, characters }: Portion): number {
  return Math.max(lines.length * LINE_CHARACTERS, characters);
}
