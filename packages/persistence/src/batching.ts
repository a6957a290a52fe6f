interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
}

interface Options<Item, Answer> {
  /** Answers in the order of the items, some perhaps later than others. Its failure is everybody's. */
  readonly send: (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;
  /** The fewest items that are worth a batch of their own, while others wait, and the most that one may hold. */
  readonly least: number;
  readonly most: number;
  /** How many batches may travel at a time. */
  readonly lanes: number;
}

/**
 * Lets what is asked within a tick, or while all lanes are taken, travel together: spread over the lanes that are
 * free, so that the far end works on one batch while the answers to another are dealt with here.
 */
export function batching<Item, Answer>(options: Options<Item, Answer>): (item: Item) => Promise<Answer> {
  const { send, least, most, lanes } = options;
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
      const share = Math.ceil(waiting.length / (lanes - travelling));
      const size = Math.min(most, Math.max(least, share));
      const batch = waiting.slice(0, size);
      waiting = waiting.slice(size);
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
