/** Values by key. Only those that were set lately are kept. */
export interface Recent<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
}

interface Options<V> {
  /** The most that all values together weigh. At least half of it is kept, unless a single value weighs more. */
  readonly most: number;
  /** A value that weighs more is not kept. Unless given, each may weigh `most`. */
  readonly mostEach?: number;
  /** 1 unless given. */
  readonly weightOf?: (value: V) => number;
}

interface Weighed<V> {
  readonly value: V;
  readonly weight: number;
}

/**
 * Keeps values in two generations, and drops the older one as a whole. To find the oldest entry of one `Map`, V8 passes over the
 * places of all entries deleted before it: with a thousand entries, that takes longer than a whole change of a record may.
 */
export function recent<K, V>({ most, mostEach = most, weightOf = () => 1 }: Options<V>): Recent<K, V> {
  let young = generation<K, V>();
  let old = generation<K, V>();
  const remove = (key: K): void => {
    young.delete(key);
    old.delete(key);
  };
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set(key, value) {
      const weight = weightOf(value);
      if (weight > mostEach) return remove(key);
      if (young.weightWith(key, weight) > most / 2) [young, old] = [generation(), young];
      if (old.weight + young.weightWith(key, weight) > most) old = generation();
      young.set(key, { value, weight });
    },
    delete: remove,
    clear() {
      [young, old] = [generation(), generation()];
    },
  };
}

function generation<K, V>() {
  const values = new Map<K, Weighed<V>>();
  let weight = 0;
  const weightOf = (key: K): number => values.get(key)?.weight ?? 0;
  return {
    get weight() {
      return weight;
    },
    /** The weight after `set`. */
    weightWith: (key: K, added: number) => weight - weightOf(key) + added,
    get: (key: K) => values.get(key)?.value,
    set(key: K, weighed: Weighed<V>) {
      weight += weighed.weight - weightOf(key);
      values.set(key, weighed);
    },
    delete(key: K) {
      weight -= weightOf(key);
      values.delete(key);
    },
  };
}
