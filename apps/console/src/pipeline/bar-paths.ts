/** The width of an hour in pixels, with a gap of one pixel. */
const HOUR = 3;
export const HEIGHT = 16;

/** The deliveries of each hour, oldest first. */
interface Hours {
  readonly successes: readonly number[];
  readonly failures: readonly number[];
}

/**
 * Returns a bar for each hour, as SVG paths: failures at the bottom, successes above. The hour with the most
 * deliveries has the full height. A single delivery or failure shows as one pixel.
 */
export function barPaths({ successes, failures }: Hours) {
  const hours = successes.map((delivered, hour) => {
    const failed = failures[hour] ?? 0;
    return { total: delivered + failed, failed };
  });
  const most = Math.max(1, ...hours.map(({ total }) => total));
  const heightOf = (count: number): number =>
    count === 0 ? 0 : Math.max(1, Math.round((HEIGHT * count) / most));
  const heights = hours.map(({ total, failed }) => ({ total: heightOf(total), failed: heightOf(failed) }));
  return {
    width: HOUR * hours.length,
    failures: heights.map(({ failed }, hour) => bar(hour, 0, failed)).join(''),
    successes: heights.map(({ total, failed }, hour) => bar(hour, failed, total)).join(''),
  };
}

function bar(hour: number, from: number, to: number): string {
  return from === to ? '' : `M${HOUR * hour} ${HEIGHT - from}h${HOUR - 1}V${HEIGHT - to}h${1 - HOUR}z`;
}
