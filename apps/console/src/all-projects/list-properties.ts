/** What a list of all projects is filtered by. */
export interface ListProperties {
  readonly filter: { readonly plugin?: number };
}
