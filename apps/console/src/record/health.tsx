import type { RecordOverview } from '@plugin-config/client';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import { DeliveryChart } from '../deliveries/delivery-chart.tsx';
import { SPANS } from '../deliveries/slots.ts';
import { recordKey } from '../live/use-family.ts';
import { familyPath, recordPath, type RecordRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { rateText } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Time } from '../ui/texts.tsx';
import type { ShownOverview } from './use-record-overview.ts';
import type { ScreenProperties } from './use-record.ts';

interface Properties extends ScreenProperties {
  /** Undefined while loading. */
  readonly overview: ShownOverview | undefined;
}

/** The share of successful deliveries of the last day, and a chart of all. */
export function Health({ at, record: { delivery_rate_24h: rate }, overview }: Properties) {
  return (
    <Panel title="Health" link={[`${recordPath(at)}/deliveries`, 'By hour']}>
      {rate === null ? (
        <p className="hint">No deliveries in the last 24 hours.</p>
      ) : (
        <p>
          <strong className="figure">{rateText(rate)}</strong> of deliveries succeeded in the last 24 hours
        </p>
      )}
      {rate !== null && overview !== undefined && (
        <DeliveryChart slots={overview.slots} span={SPANS['24h']} label="Deliveries in the last 24 hours" />
      )}
    </Panel>
  );
}

/** New entries don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;
const ENTRIES = 5;

/** The error that the plugin reports, and the latest errors in its log. */
export function Errors({ at, record: { error }, overview }: Properties) {
  const time = overview?.error_reported_at ?? null;
  const hasLog = at.family === 'plugin_configs';
  const log = useRead(
    [...recordKey(at), 'log-errors'],
    async (options) => {
      const { pluginConfigs } = service.project(at.projectId);
      return (await pluginConfigs.logs(at.id, { type_filter: ['ERROR'], limit: ENTRIES }, options).page())
        .results;
    },
    { enabled: hasLog, refetchInterval: REFRESH_MS },
  );
  return (
    <Panel title="Errors" {...(hasLog && { link: [`${recordPath(at)}/logs?type=ERROR`, 'All errors'] })}>
      {error === null ? (
        <p className="with-icon hint">
          <CircleCheck className="good" />
          The plugin reports no error.
        </p>
      ) : (
        <div className="note bad">
          <TriangleAlert />
          <div>
            <p>
              <strong>Last error</strong> {time !== null && <Time at={time} />}
            </p>
            <pre className="last-error">{error}</pre>
            <p className="hint">Shown until the plugin reports another error or recovers.</p>
          </div>
        </div>
      )}
      {hasLog && (
        <QueryResult query={log} what="errors">
          {(entries) =>
            entries.length > 0 && (
              <ol className="rows recent" aria-label="Latest errors in the log">
                {entries.map(({ id, timestamp, message }) => (
                  <li key={id}>
                    <span className="ellipsis" title={message}>
                      {message}
                    </span>
                    <span className="hint">
                      <Time at={timestamp} />
                    </span>
                  </li>
                ))}
              </ol>
            )
          }
        </QueryResult>
      )}
    </Panel>
  );
}

/** The runtimes that could not apply the record, and why. */
export function FailedRuntimes({
  at,
  runtimes,
}: Pick<RecordOverview, 'runtimes'> & { readonly at: RecordRef }) {
  if (runtimes.length === 0) return null;
  return (
    <Panel title="Failing runtimes" link={[`${familyPath(at)}/runtimes`, 'Runtimes']}>
      <ul className="rows">
        {runtimes.map(({ instance, online, last_seen_at: seen, error }) => (
          <li key={instance}>
            <div>
              <Link href={`${familyPath(at)}/runtimes`}>{instance}</Link>
              <pre className="last-error">{error}</pre>
            </div>
            <span className="hint">
              {online ? 'online' : 'offline'}, seen <Time at={seen} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
