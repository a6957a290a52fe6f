import type { AuditEntry } from '@plugin-config/client';
import { service } from '../../shell/service.ts';
import { ActorName } from '../../ui/actor-name.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Time } from '../../ui/time.tsx';
import { useListing } from '../../ui/use-listing.ts';

const ACTIONS: Readonly<Record<AuditEntry['action'], string>> = {
  key_issued: 'issued the key',
  key_revoked: 'revoked the key',
  project_created: 'created the project',
  project_renamed: 'renamed the project to',
  project_deleted: 'deleted the project',
  project_quota_changed: 'changed the log quota of the project',
  plugin_registered: 'registered the plugin',
  plugin_removed: 'removed the plugin',
};

export function Audit() {
  const list = useListing(['audit'], async (range, signal) => service.audit(range, { signal }).page());
  return (
    <Listing
      list={list}
      what="audit log"
      empty={
        <Empty title="No changes yet">
          <p>Changes to keys, projects and registered plugins appear here.</p>
        </Empty>
      }
    >
      {(entries) => (
        <ul className="rows">
          {entries.map(({ id, actor, action, subject, created_at, request_id }) => (
            <li key={id}>
              <span>
                <ActorName actor={actor} /> {ACTIONS[action]}{' '}
                <strong>
                  <bdi>{subject.name}</bdi>
                </strong>{' '}
                ({subject.id})
              </span>
              <span className="hint">
                <Time at={created_at} />
                {request_id !== null && (
                  <>
                    {' '}
                    <CopyButton text={request_id} what={`request ID of entry ${id}`} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Listing>
  );
}
