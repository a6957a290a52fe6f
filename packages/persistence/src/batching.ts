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
}

/** Lets what is asked within a tick, or while all lanes are taken, travel together. */
export function batching<Item, Answer>({
  send,
  most,
  lanes,
}: Options<Item, Answer>): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let travelling = 0;
  let called = false;

  const call = (): void => {
    if (called || travelling === lanes || waiting.length === 0) return;
    called = true;
    setImmediate(depart);
  };

  const depart = (): void => {
    called = false;
    while (waiting.length > 0 && travelling < lanes) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      travelling++;
      void travel(send, batch).then(() => {
        travelling--;
        call();
      });
    }
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
