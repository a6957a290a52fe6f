/** The title of the page: what the screen shows, then the console. */
export function Title({ children }: { readonly children: string }) {
  return <title>{`${children} · Plugin console`}</title>;
}
