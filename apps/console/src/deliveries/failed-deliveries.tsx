import { recordKey, recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { Panel } from '../ui/panel.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { CopyButton, Time } from '../ui/texts.tsx';
import { rangeOf, SPANS, type SpanName } from './slots.ts';

const REFRESH_MS = 15_000;

interface Properties {
  readonly at: RecordRef;
  readonly span: SpanName;
}

/** The failed deliveries that the plugin named, latest first. */
export function FailedDeliveries({ at, span }: Properties) {
  const list = useListing(
    [...recordKey(at), 'failed-deliveries', span],
    async (range, options) => {
      const { from } = rangeOf(SPANS[span], Date.now());
      const page = await recordsOf(at)
        .failedDeliveries(at.id, { ...range, from }, options)
        .page();
      return { ...page, results: page.results.map((one) => ({ ...one, id: `${one.at} ${one.ref}` })) };
    },
    () => REFRESH_MS,
  );
  return (
    <Panel title="Failed deliveries">
      <Listing
        list={list}
        what="failed deliveries"
        empty={<p className="hint">The plugin named none of them. It can, in its delivery reports.</p>}
      >
        {({ ref, reason, at: time }) => (
          <>
            <span>
              <code>
                <bdi>{ref}</bdi>
              </code>{' '}
              <CopyButton text={ref} what={`reference ${ref}`} />
              <span className="hint">{reason}</span>
            </span>
            <span className="hint">
              <Time at={time} />
            </span>
          </>
        )}
      </Listing>
    </Panel>
  );
}
