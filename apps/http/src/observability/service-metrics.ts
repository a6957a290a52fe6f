import { collectedMetrics, processMetrics, type MeasuredProcess } from '@plugin-config/server';
import type { WakeUps } from '@plugin-config/domain';
import type { Registry } from 'prom-client';
import type { ResponseCache } from '../responses/response-cache.ts';
import type { OpenStreams } from '../streams/open-streams.ts';

interface Dependencies extends MeasuredProcess {
  /** Returns the statistics of the response cache, which a failover resets. */
  readonly responses: () => ResponseCache['statistics'];
  readonly streams: OpenStreams;
  readonly wakeUps: WakeUps;
}

/** Creates the metrics of the process, its response cache and its databases. */
export function serviceMetrics({ responses, streams, wakeUps, ...measured }: Dependencies): Registry {
  const registry = processMetrics(measured);
  const { counter, gauge } = collectedMetrics(registry);
  counter('response_cache_hits_total', 'Responses sent from the cache.', () => responses().hits);
  counter('response_cache_misses_total', 'Responses that were not in the cache.', () => responses().misses);
  gauge('response_cache_entries', 'Responses in the cache.', () => responses().entries);
  gauge('response_cache_bytes', 'Memory of the cached responses.', () => responses().bytes);
  gauge(
    'caller_memory_bytes',
    'Memory of request bodies and of unsent responses and events.',
    () => measured.gate.memory.used,
  );
  gauge('event_streams', 'Open streams.', () => streams.open);
  gauge('runtime_waits', 'Requests of runtimes waiting for a new version.', () => measured.gate.waits.used);
  gauge('log_notifications_live', '1 if streams are notified of new log entries immediately.', () =>
    Number(wakeUps.isLive),
  );
  counter('event_stream_events_total', 'Events sent on streams.', () => streams.events);
  counter(
    'event_stream_ends_total',
    'Ended streams by reason; `closed` means by the caller.',
    () => streams.ends,
    'reason',
  );
  return registry;
}
