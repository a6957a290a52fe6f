import { OPERATOR, type Author, type Clock } from '@plugin-config/domain';

/** Returns the author of the changes that a command makes now. */
export function operator({ clock }: { readonly clock: Clock }): Author {
  return { actor: OPERATOR, requestId: null, at: clock.now() };
}
