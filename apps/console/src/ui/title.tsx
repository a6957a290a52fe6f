export function Title({ children }: { readonly children: string }) {
  return <title>{`${children} · Plugin console`}</title>;
}
