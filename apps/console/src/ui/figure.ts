/** Writes a count with separators of thousands. */
export const figure = (count: number): string => FIGURE.format(count);

const FIGURE = new Intl.NumberFormat('en');
