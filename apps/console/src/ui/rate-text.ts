const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Formats the share of successful deliveries, rounded down so only a full share is shown as 100%. */
export function rateText(rate: string | null): string {
  if (rate === null) return '–';
  const share = Number(rate);
  return PERCENT.format(share < 1 ? Math.floor(share * 1000) / 1000 : share);
}
