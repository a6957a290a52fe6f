import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { FAMILIES, familyPath, shownFamilies } from '../shell/addresses.ts';
import { formatCount } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { dayBeforeText, runtimesPathOf, successText, type OverviewProperties } from './overview-figures.ts';

/** The figures of a project, each with a link to the list of what is counted. */
export function Tiles({ projectId, overview: { families, runtimes, deliveries } }: OverviewProperties) {
  const runtimesPath = runtimesPathOf(projectId);
  const pluginsPath = familyPath({ projectId, family: 'plugin_configs' });
  const offered = shownFamilies();
  const shown = families.filter(
    ({ family, enabled, disabled }) => offered.includes(family) || enabled + disabled > 0,
  );
  return (
    <div className="side-by-side">
      {shown.map(({ family, enabled, disabled, failing, invalid }) => {
        const path = familyPath({ projectId, family });
        return (
          <Tile
            key={family}
            title={FAMILIES[family]}
            href={`${path}?enabled=true`}
            count={enabled}
            unit="enabled"
          >
            <Link href={`${path}?errors=true`} className={failing > 0 ? 'bad' : ''}>
              {formatCount(failing)} failing
            </Link>
            {invalid > 0 && (
              <Link href={`${path}?valid=false`} className="bad">
                {formatCount(invalid)} invalid
              </Link>
            )}
            <Link href={`${path}?enabled=false`}>{formatCount(disabled)} disabled</Link>
          </Tile>
        );
      })}
      <Tile title="Runtimes" href={runtimesPath} count={runtimes.online} unit="online">
        <Link href={runtimesPath} className={runtimes.behind > 0 ? 'warn' : ''}>
          {formatCount(runtimes.behind)} behind
        </Link>
        <Link href={runtimesPath} className={runtimes.failed > 0 ? 'bad' : ''}>
          {formatCount(runtimes.failed)} failed
        </Link>
      </Tile>
      {deliveries === null ? (
        <Panel title="Deliveries, 24 hours">
          <p className="hint">There are too many to add up in time.</p>
        </Panel>
      ) : (
        <Tile
          title="Deliveries, 24 hours"
          href={pluginsPath}
          count={deliveries.last_24h.successes}
          unit="succeeded"
        >
          <span className="hint">{successText(deliveries.last_24h)}</span>
          <Link href={pluginsPath} className={deliveries.last_24h.failures > 0 ? 'bad' : ''}>
            {formatCount(deliveries.last_24h.failures)} failed
          </Link>
          <span className="hint">{dayBeforeText(deliveries.previous_24h)}</span>
        </Tile>
      )}
    </div>
  );
}

interface TileProperties {
  readonly title: string;
  /** The list of what is counted. */
  readonly href: string;
  readonly count: number;
  readonly unit: string;
  readonly children: ReactNode;
}

function Tile({ title, href, count, unit, children }: TileProperties) {
  return (
    <section className="panel tile" aria-label={title}>
      <h2>{title}</h2>
      <Link href={href}>
        <strong className="figure">{formatCount(count)}</strong> {unit}
      </Link>
      <div className="actions hint">{children}</div>
    </section>
  );
}
