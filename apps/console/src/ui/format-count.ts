/** Formats a count with thousands separators. */
export const formatCount = (count: number): string => FORMAT.format(count);

const FORMAT = new Intl.NumberFormat('en');
