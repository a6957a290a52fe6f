import type { FairQueue } from '@plugin-config/domain';
import { timeSlices } from '../../loops/time-slices.ts';
import { BATCH_CHARACTERS, BATCH_MESSAGES } from '../batch-limits.ts';
import { TURN_CHARACTERS, TURN_MESSAGES, type Portion, type Push } from './push.ts';

/** A batch of portions, stored together. */
export interface Gathered {
  readonly portions: readonly Portion[];
  /** Call this when the batch is stored or has failed. */
  end(): void;
}

/** The least weight of a line, so that a turn of short lines counts as much as one of long lines. */
const LINE_CHARACTERS = Math.ceil(TURN_CHARACTERS / TURN_MESSAGES);
/** The most concurrent batches of each kind, so that a batch of the other kind has room. */
const MOST_OF_A_KIND = 2;

/**
 * Gathers portions of pushes into batches. A holder with more than a turn in progress gets batches of its own. The few
 * lines of other holders share batches, so that they wait neither for the many lines nor for their locks.
 * The returned function resolves to null if no batch may start now.
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
    const { isDue, yieldTurn } = timeSlices();
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
      if (isDue()) await yieldTurn();
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
