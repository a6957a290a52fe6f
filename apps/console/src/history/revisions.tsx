import type { ConfigRecord, Revision } from '@plugin-config/client';
import { useState } from 'react';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { secretKeysOf } from '../record/plugin-info.ts';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Listing } from '../ui/listing.tsx';
import { useNotify } from '../ui/notices.tsx';
import { Time } from '../ui/time.tsx';
import { useListing } from '../ui/use-listing.ts';
import { revisionChanges } from './restoration.ts';
import { RestoreDialog } from './restore-dialog.tsx';

interface Properties {
  readonly at: RecordRef;
  readonly record: ConfigRecord;
}

/** The revisions of a record: its name, description and configuration after each change. */
export function Revisions({ at, record }: Properties) {
  const key = useKey();
  const [chosen, setChosen] = useState<Revision | null>(null);
  const list = useListing([...recordKey(at), 'revisions'], async (range, signal) =>
    recordsOf(at).revisions(at.id, range, { signal }).page(),
  );
  return (
    <>
      <Listing list={list} what="revisions" empty={<Empty title="No revisions yet" />}>
        {(revisions) => (
          <ol className="activity">
            {revisions.map((revision, index) => (
              <li key={revision.number}>
                <header>
                  <span>
                    <strong>Revision {revision.number}</strong> <bdi>{revision.name ?? 'unnamed'}</bdi>
                    {index === 0 && ' (current)'}
                  </span>
                  <span className="hint">
                    <ActorName actor={revision.actor} />, <Time at={revision.created_at} />
                    {revision.request_id !== null && (
                      <>
                        {' '}
                        <CopyButton
                          text={revision.request_id}
                          what={`request ID of revision ${revision.number}`}
                        />
                      </>
                    )}
                    {index > 0 && may(key, 'plugin:write') && (
                      <>
                        {' '}
                        <button
                          type="button"
                          className="small"
                          aria-label={`Restore revision ${revision.number}`}
                          onClick={() => setChosen(revision)}
                        >
                          Restore
                        </button>
                      </>
                    )}
                  </span>
                </header>
                <p className="hint">{differenceOf(record, revision)}</p>
              </li>
            ))}
          </ol>
        )}
      </Listing>
      {chosen !== null && <RevisionDialog at={at} revision={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function differenceOf(record: ConfigRecord, revision: Revision): string {
  const { length } = revisionChanges(record, revision, secretKeysOf(record));
  if (length === 0) return 'Same as the current record, apart from secrets.';
  return length === 1
    ? '1 field differs from the current record.'
    : `${length} fields differ from the current record.`;
}

interface DialogProperties {
  readonly at: RecordRef;
  readonly revision: Revision;
  readonly onClose: () => void;
}

function RevisionDialog({ at, revision, onClose }: DialogProperties) {
  const notify = useNotify();
  const restore = async (seen: ConfigRecord): Promise<void> => {
    const { missing_secrets: missing } = await recordsOf(at).restoreRevision(at.id, revision.number, {
      ifMatch: seen,
    });
    notify(
      missing.length === 0
        ? `Revision ${revision.number} was restored.`
        : `Revision ${revision.number} was restored. These secrets are no longer set: ${missing.join(', ')}.`,
    );
  };
  return (
    <RestoreDialog
      at={at}
      title={`Restore revision ${revision.number}`}
      changesOf={(seen) => revisionChanges(seen, revision, secretKeysOf(seen))}
      restore={restore}
      onClose={onClose}
    >
      <p className="hint">Secrets, plugin, position and the enabled state are not changed.</p>
    </RestoreDialog>
  );
}
