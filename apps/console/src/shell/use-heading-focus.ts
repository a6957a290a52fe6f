import { useEffect, useRef, type RefObject } from 'react';
import { useLocation, useRouter } from 'wouter';

/** The address of the last page; null before the first one, whose focus is left to the browser. */
let last: string | null = null;
/** Whether the user is going back or forward, so the browser restores the scroll position. */
let isTraversing = false;

if ('navigation' in window) {
  navigation.addEventListener('navigate', ({ navigationType }) => {
    isTraversing = navigationType === 'traverse';
  });
}

/** How long a page has for showing the link. Long lists render their rows some frames later. */
const FRAMES = 30;

/** Moves the focus to the heading of each new page and then, when going back, to the link that was followed. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const [address] = useLocation();
  const { base } = useRouter();
  useEffect(() => {
    const from = last;
    last = address;
    if (from === null || from === address || heading.current === null) return;
    heading.current.focus({ preventScroll: isTraversing });
    if (isTraversing) moveToLink(heading.current, base + from, FRAMES);
  }, [address, base]);
  return heading;
}

/** Moves the focus from the heading to a link once it is visible, unless the user was faster. */
function moveToLink(heading: HTMLElement, href: string, frames: number): void {
  if (frames === 0 || document.activeElement !== heading) return;
  const links = document.querySelectorAll<HTMLElement>(`#main a[href="${CSS.escape(href)}"]`);
  const link = [...links].find((one) => one.checkVisibility());
  if (link === undefined) requestAnimationFrame(() => moveToLink(heading, href, frames - 1));
  else link.focus({ preventScroll: true });
}
