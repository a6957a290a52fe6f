import { useEffect } from 'react';

const QUESTION = 'What you entered is not saved. Leave this page and lose it?';

/** Asks before the user leaves the page by a link, by going back, or by closing it, while something is not saved. */
export function useAskBeforeLeaving(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    // An older browser, which has no `navigation`, asks only before it unloads the page.
    if ('navigation' in window) navigation.addEventListener('navigate', askBeforeNavigation, { signal });
    return () => leaving.abort();
  }, [isUnsaved]);
}

/** Concerns other addresses of the console. */
function askBeforeNavigation(event: NavigateEvent): void {
  const { url, sameDocument } = event.destination;
  if (!sameDocument || new URL(url).pathname === location.pathname) return;
  if (event.cancelable && !window.confirm(QUESTION)) event.preventDefault();
}
