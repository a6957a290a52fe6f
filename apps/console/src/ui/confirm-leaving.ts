import { useEffect } from 'react';

const QUESTION = 'You have unsaved changes. Leave this page and discard them?';

/** Asks for confirmation before unsaved changes are lost by following a link, going back or closing the page. */
export function useConfirmLeaving(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    // Older browsers have no `navigation` and confirm only before unloading the page.
    if ('navigation' in window) navigation.addEventListener('navigate', confirmNavigation, { signal });
    return () => controller.abort();
  }, [isUnsaved]);
}

/** Handles navigation within the console. */
function confirmNavigation(event: NavigateEvent): void {
  const { url, sameDocument } = event.destination;
  if (!sameDocument || new URL(url).pathname === location.pathname) return;
  if (event.cancelable && !window.confirm(QUESTION)) event.preventDefault();
}
