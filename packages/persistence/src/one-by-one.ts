import { DomainError } from '@plugin-config/domain';

/** Where a batch fails as a whole, its items go one by one, so that only the culprit fails. */
export async function oneByOneOnFailure<Item, Answer>(
  send: (items: readonly Item[]) => Promise<readonly Answer[]>,
  items: readonly Item[],
): Promise<readonly (Answer | Promise<Answer>)[]> {
  try {
    return await send(items);
  } catch (error) {
    if (items.length === 1 || error instanceof DomainError) throw error;
    return items.map((item) => send([item]).then(([answer]) => answer as Answer));
  }
}
