import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { AnswerCache } from '../answers/answer-cache.ts';

/** What the process and its cache of answers have to tell. */
export function serviceMetrics({ answers }: { readonly answers: AnswerCache }): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  gauge('answer_cache_hits', 'Answers that were sent as they were kept.', () => answers.statistics.hits);
  gauge('answer_cache_misses', 'Answers that had to be read.', () => answers.statistics.misses);
  gauge('answer_cache_entries', 'Answers that are kept.', () => answers.statistics.entries);
  gauge('answer_cache_bytes', 'Memory that kept answers take.', () => answers.statistics.bytes);
  return registry;
}
