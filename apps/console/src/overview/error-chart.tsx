import type { Overview } from '@plugin-config/client';
import { CircleCheck } from 'lucide-react';
import { familyPath } from '../shell/addresses.ts';
import { formatCount } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { barsOf, type OverviewProperties } from './overview-figures.ts';

const HOUR = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The errors in the logs, a bar for each hour. */
export function ErrorChart({ projectId, overview: { errors } }: OverviewProperties) {
  const all = errors.reduce((sum, { count }) => sum + count, 0);
  const path = familyPath({ projectId, family: 'plugin_configs' });
  return (
    <Panel title="Errors in the logs" link={[path, 'Plugins']}>
      {all === 0 ? (
        <p className="with-icon hint">
          <CircleCheck className="good" />
          None in the last 24 hours.
        </p>
      ) : (
        <Bars errors={errors} all={all} />
      )}
    </Panel>
  );
}

function Bars({ errors, all }: Pick<Overview, 'errors'> & { readonly all: number }) {
  return (
    <>
      <p>
        <strong>{formatCount(all)}</strong> in the last 24 hours
      </p>
      <ol className="bars" aria-label="Errors by hour">
        {barsOf(errors).map(({ start, count, share }) => (
          <li key={start} title={`${HOUR.format(start)}: ${formatCount(count)}`}>
            <span data-type={count > 0 ? 'ERROR' : ''} style={{ height: `${100 * share}%` }} />
            <small className="unseen">
              {HOUR.format(start)}: {formatCount(count)}
            </small>
          </li>
        ))}
      </ol>
      <p className="chart-ends hint" aria-hidden="true">
        <span>24 hours ago</span>
        <span>now</span>
      </p>
    </>
  );
}
