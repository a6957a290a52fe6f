import { MailCheck } from 'lucide-react';
import { Heading } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';

const REFRESH_MS = 15_000;

/** The messages of a project that could not be stored, and why. */
export function DeadLetters({ projectId }: { readonly projectId: number }) {
  const list = useListing(
    ['dead-letters', projectId],
    async (range, options) => service.project(projectId).deadLetters(range, options).page(),
    () => REFRESH_MS,
  );
  return (
    <>
      <Heading title="Dead letters" />
      <Listing
        list={list}
        what="dead letters"
        empty={
          <Empty icon={MailCheck} guide="api/ingestion.md" title="No dead letters">
            <p>Log entries and reports that cannot be stored are listed here, with the reason.</p>
          </Empty>
        }
      >
        {({ plugin_config_id: id, detail, received_at: at, channel, text }) => (
          <>
            <span>
              <span>{detail}</span>
              <code className="hint">
                <bdi>{text}</bdi>
              </code>
            </span>
            <span className="hint">
              {id !== null && `Record ${id} · `}
              <Time before={`By ${channel}, `} at={at} />
            </span>
          </>
        )}
      </Listing>
    </>
  );
}
