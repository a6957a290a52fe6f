import type { Revision } from '@plugin-config/client';
import { History } from 'lucide-react';
import { useState } from 'react';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { secretKeysOf } from '../record/plugin-info.ts';
import type { ScreenProperties } from '../record/use-record.ts';
import { useMayWrite } from '../session/session.ts';
import { notify } from '../ui/notices.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { CopyButton, Time } from '../ui/texts.tsx';
import { ActorName } from './actor-name.tsx';
import { revisionChanges } from './restoration.ts';
import { RestoreDialog } from './restore-dialog.tsx';

/** The revisions of a record: its name, description and configuration after each change. */
export function Revisions({ at, record }: ScreenProperties) {
  const mayWrite = useMayWrite();
  const [chosen, setChosen] = useState<Revision | null>(null);
  const list = useListing([...recordKey(at), 'revisions'], async (range, options) =>
    recordsOf(at).revisions(at.id, range, options).page(),
  );
  return (
    <>
      <Listing
        list={list}
        what="revisions"
        className="activity"
        empty={<Empty icon={History} title="No revisions yet" />}
      >
        {(revision, index) => {
          const { number, name, actor, created_at: createdAt, request_id: requestId } = revision;
          return (
            <>
              <header>
                <span>
                  <strong>Revision {number}</strong> <bdi>{name ?? 'unnamed'}</bdi>
                  {index === 0 && ' (current)'}
                </span>
                <span className="hint">
                  <ActorName actor={actor} projectId={at.projectId} />, <Time at={createdAt} />{' '}
                  {requestId !== null && (
                    <CopyButton text={requestId} what={`request ID of revision ${number}`} />
                  )}{' '}
                  {index > 0 && mayWrite && (
                    <button
                      type="button"
                      className="small"
                      aria-label={`Restore revision ${number}`}
                      onClick={() => setChosen(revision)}
                    >
                      Restore
                    </button>
                  )}
                </span>
              </header>
              <p className="hint">
                {differenceText(revisionChanges(record, revision, secretKeysOf(record)).length)}
              </p>
            </>
          );
        }}
      </Listing>
      {chosen !== null && (
        <RestoreDialog
          at={at}
          title={`Restore revision ${chosen.number}`}
          changesOf={(seen) => revisionChanges(seen, chosen, secretKeysOf(seen))}
          restore={async (seen) => {
            const restored = await recordsOf(at).restoreRevision(at.id, chosen.number, { ifMatch: seen });
            const missing = restored.missing_secrets.join(', ');
            const warning = missing === '' ? '' : ` These secrets are no longer set: ${missing}.`;
            notify(`Revision ${chosen.number} was restored.${warning}`);
          }}
          onClose={() => setChosen(null)}
        >
          <p className="hint">Secrets, plugin, position and the enabled state are not changed.</p>
        </RestoreDialog>
      )}
    </>
  );
}

function differenceText(fields: number): string {
  if (fields === 0) return 'Same as the current record, apart from secrets.';
  return fields === 1
    ? '1 field differs from the current record.'
    : `${fields} fields differ from the current record.`;
}
