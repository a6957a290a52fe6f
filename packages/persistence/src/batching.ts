interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
}

interface Options<Item, Answer> {
  /** Answers in the order of the items, some perhaps later than others. Its failure is everybody's. */
  readonly send: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;
  /** The most items of a batch. */
  readonly most: number;
  /** How many batches may travel at a time: while one is under way, the next gathers. */
  readonly lanes: number;
  /** What an item would make others wait for: items with the same one never travel in two batches at a time. */
  readonly needs?: (item: Item) => string;
}

/** Lets what is asked within a tick, or while all lanes are taken, travel together. */
export function batching<Item, Answer>(options: Options<Item, Answer>): (item: Item) => Promise<Answer> {
  const { send, most, lanes, needs } = options;
  const taken = new Set<string>();
  let waiting: Waiting<Item, Answer>[] = [];
  let travelling = 0;
  let called = false;

  const isFree = ({ item }: Waiting<Item, Answer>): boolean => needs === undefined || !taken.has(needs(item));

  const call = (): void => {
    if (called || travelling === lanes || waiting.length === 0) return;
    called = true;
    setImmediate(depart);
  };

  const board = (): readonly Waiting<Item, Answer>[] => {
    const batch = waiting.filter(isFree).slice(0, most);
    const boarded = new Set(batch);
    waiting = waiting.filter((each) => !boarded.has(each));
    return batch;
  };

  const depart = (): void => {
    called = false;
    const batch = board();
    if (batch.length === 0) return;
    const needed = needs === undefined ? [] : batch.map(({ item }) => needs(item));
    for (const each of needed) taken.add(each);
    travelling++;
    void travel(send, batch).then(() => {
      for (const each of needed) taken.delete(each);
      travelling--;
      call();
    });
    call();
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      call();
    });
}

async function travel<Item, Answer>(
  send: Options<Item, Answer>['send'],
  batch: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await send(batch.map(({ item }) => item));
    for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer | Promise<Answer>);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
