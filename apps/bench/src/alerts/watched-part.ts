import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { benchWatched } from './watched-bench.ts';

/** Measures what ten alerts and ten webhooks of a project cost its writes. */
export const watchedPart: Part = async (options) => {
  const { patches, deliveredPatches, pushes } = await benchWatched(options);
  const rows = [
    ['PATCH, webhooks for incidents', ratioOf(patches), '0.95'],
    ['PATCH, webhooks for every change', ratioOf(deliveredPatches), ''],
    ['HTTP push, webhooks for incidents', ratioOf(pushes), '0.95'],
  ];
  const columns = ['speed with ten alerts and ten webhooks, to that without', 'ratio', 'goal'];
  return { text: markdownTable(columns, rows), errors: 0 };
};

function ratioOf(ratios: readonly number[]): string {
  return median(ratios).toFixed(2);
}
