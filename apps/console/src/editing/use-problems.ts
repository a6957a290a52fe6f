import { useEffect, useRef, useState } from 'react';
import { isWithin, type Problems } from './problems.ts';

const NONE: Problems = new Map();

/** The problems of a form. Each rejection moves the focus to the first invalid field. */
export function useProblems() {
  const [{ problems, rejections }, setRejection] = useState({ problems: NONE, rejections: 0 });
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (rejections === 0) return;
    element.current
      ?.querySelector<HTMLElement>('[data-invalid] :is(input, textarea, select, button)')
      ?.focus();
  }, [rejections]);
  const keep = (isKept: (name: string) => boolean): void =>
    setRejection((last) => ({
      ...last,
      problems: new Map([...last.problems].filter(([name]) => isKept(name))),
    }));
  return {
    /** The form that has the fields. */
    element,
    problems,
    reject: (found: Problems) =>
      setRejection((last) => ({ problems: found, rejections: last.rejections + 1 })),
    /** Forgets the problems of what is edited, and of what it is in. */
    forget: (place: string) => keep((other) => !isWithin(other, place) && !isWithin(place, other)),
    forgetAll: () => keep(() => false),
  };
}
