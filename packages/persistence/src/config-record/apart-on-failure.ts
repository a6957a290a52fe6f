import { DomainError, type FamilyRef } from '@plugin-config/domain';

type Send<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>;

interface Options<Item, Answer> {
  readonly send: Send<Item, Answer>;
  readonly familyOf: (item: Item) => FamilyRef;
}

/**
 * Where a batch fails as a whole, its items go apart, one after the other, so that only the culprit fails: those of
 * one family together where a family could not be had in time, else each for itself.
 */
export function apartOnFailure<Item, Answer>({ send, familyOf }: Options<Item, Answer>) {
  return async (items: readonly Item[]): Promise<readonly (Answer | Promise<Answer>)[]> => {
    try {
      return await send(items);
    } catch (error) {
      const parties = partiesOf(items, error, familyOf);
      if (parties.length < 2) throw error;
      return sendApart(send, items, parties);
    }
  };
}

function partiesOf<Item>(
  items: readonly Item[],
  error: unknown,
  familyOf: (item: Item) => FamilyRef,
): readonly (readonly Item[])[] {
  if (!(error instanceof DomainError)) return items.map((item) => [item]);
  if (error.code !== 'busy') return [items];
  const families = Map.groupBy(items, (item) => `${familyOf(item).projectId}/${familyOf(item).family}`);
  return [...families.values()];
}

function sendApart<Item, Answer>(
  send: Send<Item, Answer>,
  items: readonly Item[],
  parties: readonly (readonly Item[])[],
): readonly Promise<Answer>[] {
  const answers = new Map<Item, Promise<Answer>>();
  let last: Promise<unknown> = Promise.resolve();
  for (const party of parties) {
    const sent = last.then(() => send(party));
    last = sent.catch(() => undefined);
    for (const [i, item] of party.entries()) {
      answers.set(
        item,
        sent.then((all) => all[i] as Answer),
      );
    }
  }
  return items.map((item) => answers.get(item) as Promise<Answer>);
}
