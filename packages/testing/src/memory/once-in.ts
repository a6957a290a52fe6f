import {
  KEPT_MOST,
  KEPT_OVERHEAD_BYTES,
  tooManyKept,
  utf8Length,
  type Actor,
  type FamilyRef,
  type IdempotencyKey,
  type Once,
} from '@plugin-config/domain';
import { familyKey, type MemoryState } from './memory-state.ts';

interface Asked {
  readonly family: FamilyRef;
  readonly actor: Actor;
  readonly key: IdempotencyKey;
  readonly now: Date;
}

/** The answer that is kept under the key, else that of the work, which is kept from now on. */
export function onceIn<T>(
  { answers }: MemoryState,
  { family, actor, key: { name, digest, origin }, now }: Asked,
  work: () => T,
): Once<T> {
  const kept = answers.get(name)?.outcome as Omit<Once<T>, 'isFirst'> | undefined;
  if (kept !== undefined) return { ...kept, isFirst: false };
  const holder = `${familyKey(family)}/${actor.keyId}`;
  const held = [...answers.values()].filter((answer) => answer.holder === holder);
  const bytes = held.reduce((sum, answer) => sum + answer.bytes, 0);
  if (held.length >= KEPT_MOST.answers || bytes >= KEPT_MOST.bytes) throw tooManyKept(1);
  const outcome = { value: work(), digest, origin };
  const own = utf8Length(JSON.stringify(outcome.value)) + utf8Length(origin) + KEPT_OVERHEAD_BYTES;
  answers.set(name, { holder, outcome, bytes: own, at: now });
  return { ...outcome, isFirst: true };
}
