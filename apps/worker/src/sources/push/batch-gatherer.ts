import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FairQueue } from '@plugin-config/flow';
import { BATCH_CHARACTERS, BATCH_MESSAGES, BATCH_MS } from '../batch-limits.ts';
import { TURN_BYTES, type Chunk, type Push } from './push.ts';

export interface Gathered {
  readonly chunks: readonly Chunk[];
  /** Must be called when the batch has been stored or has failed. */
  end(): void;
}

/** Three batches are stored at a time. A limit of two per kind leaves room for the other kind. */
const MAX_PER_KIND = 2;

/**
 * Gathers chunks of pushes into batches of two kinds. A tenant with a full turn or more in progress gets separate batches. The
 * others share common batches, so a few lines never wait for the many lines of another tenant, or for its locks. The returned
 * function resolves to null if no batch can start.
 */
export function batchGatherer(
  queue: FairQueue<number, Push>,
  now: () => number,
): () => Promise<Gathered | null> {
  const storing = new Map<number, number>();
  const running = { own: 0, common: 0 };
  const add = (tenant: number, weight: number): void => {
    const sum = (storing.get(tenant) ?? 0) + weight;
    if (sum > 0) storing.set(tenant, sum);
    else storing.delete(tenant);
  };
  const hasMany = (tenant: number): boolean => (storing.get(tenant) ?? 0) >= TURN_BYTES;
  const kindOf = (tenant: number): keyof typeof running => (hasMany(tenant) ? 'own' : 'common');
  const hasRoom = (kind: keyof typeof running): boolean => running[kind] < MAX_PER_KIND;

  return async () => {
    const chunks: Chunk[] = [];
    const tenants = new Set<number>();
    /** The only tenant of the batch; null for a common batch. */
    let owner: number | null = null;
    let messages = 0;
    let weight = 0;
    let closesAt = Infinity;
    const fits = (tenant: number): boolean => {
      if (owner !== null) return tenant === owner;
      return messages === 0 ? hasRoom(kindOf(tenant)) : !hasMany(tenant);
    };
    const take = (push: Push): void => {
      const chunk = push.take();
      if (!push.isTaken) queue.add(push.tenant, push);
      if (messages > 0) weight += chunk.weight;
      if (chunk.lines.length === 0) return;
      if (messages === 0) begin(chunk);
      messages += chunk.lines.length;
      chunks.push(chunk);
      tenants.add(push.tenant);
      add(push.tenant, chunk.weight);
    };
    const begin = ({ push, weight: first }: Chunk): void => {
      if (hasMany(push.tenant)) owner = push.tenant;
      weight = first;
      closesAt = now() + BATCH_MS;
    };
    const isFull = (): boolean =>
      messages >= BATCH_MESSAGES || weight >= BATCH_CHARACTERS || now() >= closesAt;
    while (!isFull()) {
      const push = queue.next(fits);
      if (push !== undefined) take(push);
      else if (owner === null && tenants.size === 1 && hasRoom('own')) [owner = null] = tenants;
      else break;
      // Lets other work run after each turn.
      await nextTurn();
    }
    if (messages === 0) return null;
    const kind = owner === null ? 'common' : 'own';
    running[kind]++;
    return {
      chunks,
      end: () => {
        running[kind]--;
        for (const { push, weight: stored } of chunks) add(push.tenant, -stored);
      },
    };
  };
}
