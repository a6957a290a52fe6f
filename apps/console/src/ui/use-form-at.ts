import { useLayoutEffect, useRef, type RefObject } from 'react';

/** A form whose fields show what an address says. When the address changes, whoever uses a field keeps the focus. */
export function useFormAt(address: string): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(address);
  useLayoutEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    form.current?.reset();
  }, [address]);
  return form;
}
