import { useLayoutEffect, useRef, type RefObject } from 'react';

/** A form whose fields default to an address. When the address changes, it is reset without losing the focus. */
export function useResettingForm(address: string): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(address);
  useLayoutEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    form.current?.reset();
  }, [address]);
  return form;
}
