import type { FairQueue } from '@plugin-config/flow';
import { timeSlices } from '@plugin-config/flow/node';
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
/** Three batches are stored at a time. At most two are of one kind, so that the other kind always has room. */
const MAX_PER_KIND = 2;

/**
 * Gathers portions of pushes into batches of two kinds. A tenant with more than a turn in progress gets batches of its own.
 * The few lines of other tenants share common batches, so that they wait neither for the many lines nor for their locks.
 * The returned function resolves to null if no batch may start now.
 */
export function batchGatherer(queue: FairQueue<number, Push>): () => Promise<Gathered | null> {
  const storing = new Map<number, number>();
  const running = { own: 0, common: 0 };
  const add = (tenant: number, weight: number): void => {
    const sum = (storing.get(tenant) ?? 0) + weight;
    if (sum > 0) storing.set(tenant, sum);
    else storing.delete(tenant);
  };
  const hasMany = (tenant: number): boolean => (storing.get(tenant) ?? 0) >= TURN_CHARACTERS;
  const kindOf = (tenant: number): keyof typeof running => (hasMany(tenant) ? 'own' : 'common');
  const hasRoom = (kind: keyof typeof running): boolean => running[kind] < MAX_PER_KIND;

  return async () => {
    const { isDue, yieldTurn } = timeSlices();
    const portions: Portion[] = [];
    const tenants = new Set<number>();
    /** The tenant whose own batch it is; null for a common batch. */
    let owner: number | null = null;
    let messages = 0;
    let characters = 0;
    const fits = (tenant: number): boolean => {
      if (owner !== null) return tenant === owner;
      return messages === 0 ? hasRoom(kindOf(tenant)) : !hasMany(tenant);
    };
    const take = (push: Push): void => {
      if (messages === 0 && hasMany(push.tenant)) owner = push.tenant;
      tenants.add(push.tenant);
      const portion = push.take();
      if (!push.isTaken) queue.add(push.tenant, push);
      if (portion.lines.length > 0) portions.push(portion);
      add(push.tenant, weightOf(portion));
      messages += portion.lines.length;
      characters += portion.characters;
    };
    const isFull = (): boolean => messages >= BATCH_MESSAGES || characters >= BATCH_CHARACTERS;
    while (!isFull()) {
      const push = queue.next(fits);
      if (push !== undefined) take(push);
      else if (owner === null && tenants.size === 1 && hasRoom('own')) [owner = null] = tenants;
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
        for (const portion of portions) add(portion.push.tenant, -weightOf(portion));
      },
    };
  };
}

function weightOf({ lines, characters }: Portion): number {
  return Math.max(lines.length * LINE_CHARACTERS, characters);
}
