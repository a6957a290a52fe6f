import { useSearchParams } from 'wouter';

/** A parameter of the address, empty if it is absent, and a function that sets it, or removes it if the value is empty. */
export function useParameter(name: string): readonly [string, (value: string) => void] {
  const [query, setQuery] = useSearchParams();
  return [
    query.get(name) ?? '',
    (value) =>
      setQuery((current) => {
        current.delete(name);
        if (value !== '') current.set(name, value);
        return current;
      }),
  ];
}
