import {
  isKeptFull,
  KEPT_OVERHEAD_BYTES,
  tooManyKept,
  utf8Length,
  type Actor,
  type FamilyRef,
  type IdempotencyKey,
  type Once,
} from '@plugin-config/domain';
import { familyKey, type MemoryState } from './memory-state.ts';

interface KeyedRequest {
  readonly family: FamilyRef;
  readonly actor: Actor;
  readonly key: IdempotencyKey;
  readonly now: Date;
}

/** Returns the answer that is kept under the key; without one, runs the work and keeps its answer. */
export function onceIn<T>(
  { answers }: MemoryState,
  { family, actor, key: { name, digest, origin }, now }: KeyedRequest,
  work: () => T,
): Once<T> {
  const kept = answers.get(name)?.outcome as Omit<Once<T>, 'isFirst'> | undefined;
  if (kept !== undefined) return { ...kept, isFirst: false };
  const author = `${familyKey(family)}/${actor.keyId}`;
  const own = [...answers.values()].filter((answer) => answer.author === author);
  const ownBytes = own.reduce((sum, answer) => sum + answer.bytes, 0);
  if (isKeptFull({ answers: own.length, bytes: ownBytes })) {
    throw tooManyKept(now.getTime() - Math.min(...own.map(({ at }) => at.getTime())));
  }
  const outcome = { value: work(), digest, origin };
  const bytes = utf8Length(JSON.stringify(outcome.value)) + utf8Length(origin) + KEPT_OVERHEAD_BYTES;
  answers.set(name, { author, outcome, bytes, at: now });
  return { ...outcome, isFirst: true };
}
