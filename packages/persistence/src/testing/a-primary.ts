/** Returns a primary that fails over on request. */
export function aPrimary() {
  const newTimeline = (id: string) => {
    const ending = new AbortController();
    return { id, ending, ended: ending.signal };
  };
  let failovers = 0;
  let timeline = newTimeline('0');
  return {
    get timeline() {
      return timeline;
    },
    get failovers() {
      return failovers;
    },
    onFailover: () => undefined,
    failOver() {
      const { ending } = timeline;
      timeline = newTimeline(String(++failovers));
      ending.abort();
    },
  };
}
