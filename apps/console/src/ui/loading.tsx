/** Says what is being read. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="loading" role="status">
      Reading {what} …
    </p>
  );
}
