import { OPERATOR, type Author, type Clock } from '@plugin-config/domain';

/** The author of changes by the command, as of now. */
export function operator({ clock }: { readonly clock: Clock }): Author {
  return { actor: OPERATOR, requestId: null, at: clock.now() };
}
