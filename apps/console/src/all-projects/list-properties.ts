/** The filters of a list of all projects. */
export interface ListProperties {
  readonly filter: { readonly plugin?: number };
}
