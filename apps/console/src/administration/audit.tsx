import type { AuditEntry } from '@plugin-config/client';
import { ScrollText } from 'lucide-react';
import { ActorName } from '../history/actor-name.tsx';
import { service } from '../shell/service.ts';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { CopyButton, Time } from '../ui/texts.tsx';

const ACTIONS: Readonly<Record<AuditEntry['action'], string>> = {
  key_issued: 'issued the key',
  key_revoked: 'revoked the key',
  trust_created: 'created the trust',
  trust_changed: 'changed the trust',
  trust_deleted: 'deleted the trust',
  token_exchanged: 'got a token by the trust',
  signed_in: 'signed in as the user',
  sessions_ended: 'ended the sessions of the user',
  project_created: 'created the project',
  project_renamed: 'renamed the project to',
  project_external_id_changed: 'changed the external id of the project',
  project_deleted: 'deleted the project',
  project_quota_changed: 'changed the log quota of the project',
  plugin_registered: 'registered the plugin',
  plugin_removed: 'removed the plugin',
  plugin_version_registered: 'registered the version',
  plugin_version_changed: 'changed the version',
  plugin_upgrade_started: 'started to upgrade all records to the version',
  plugin_upgrade_cancelled: 'cancelled the upgrade of all records to the version',
  alert_created: 'created the alert',
  alert_changed: 'changed the alert',
  alert_deleted: 'deleted the alert',
  webhook_created: 'created the webhook',
  webhook_changed: 'changed the webhook',
  webhook_deleted: 'deleted the webhook',
  webhook_rotated: 'rotated the secret of the webhook',
};

export function Audit() {
  const list = useListing(['audit'], async (range, options) => service.audit(range, options).page());
  return (
    <Listing
      list={list}
      what="audit log"
      empty={
        <Empty icon={ScrollText} title="No changes yet">
          <p>Changes to keys, projects and registered plugins appear here.</p>
        </Empty>
      }
    >
      {({ id, actor, action, subject, created_at: createdAt, request_id: requestId }) => (
        <>
          <span>
            <ActorName actor={actor} /> {ACTIONS[action]}{' '}
            <strong>
              <bdi>{subject.name}</bdi>
            </strong>{' '}
            ({subject.id})
          </span>
          <span className="hint">
            <Time at={createdAt} />{' '}
            {requestId !== null && <CopyButton text={requestId} what={`request ID of entry ${id}`} />}
          </span>
        </>
      )}
    </Listing>
  );
}
