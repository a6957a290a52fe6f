import { FileJson } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { familyKey } from '../live/use-family.ts';
import { recordName } from '../record/plugin-info.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import { managerPath } from '../shell/addresses.ts';
import { Heading, Tabs } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Command } from '../ui/texts.tsx';
import { documentsKey, ManagedRecords } from './managed-records.tsx';
import { PlanForm } from './plan-form.tsx';
import { adoptionOf, managersOf } from './plan-text.ts';

const REPLACE = 'Replace the document? You changed it but did not apply it. Those changes will be lost.';

interface TypedDocument {
  readonly text: string;
  /** The initial text, or the one last applied. */
  readonly untouched: string;
  /** Incremented for each document that is started, to remount the form. */
  readonly count: number;
}

const BLANK: TypedDocument = { text: '', untouched: '', count: 0 };

const isEdited = ({ text, untouched }: TypedDocument): boolean => text !== untouched && text !== '';

/** The managers of a project, manual edits since their last apply, and a form to plan and apply a document. */
export function Documents({ projectId }: { readonly projectId: number }) {
  const [search] = useSearchParams();
  const [document, setDocument] = useDraftState(() => BLANK, isEdited);
  useConfirmLeaving(isEdited(document));
  const startDocument = (text: string): void => {
    if (isEdited(document) && !window.confirm(REPLACE)) return;
    setDocument(({ count }) => ({ text, untouched: text, count: count + 1 }));
  };
  const managers = useRead(documentsKey(projectId), async (options) => {
    const { configuration } = service.project(projectId);
    return managersOf(await Array.fromAsync(configuration.records({ limit: 1000 }, options)));
  });
  const manager = search.get('manager') ?? managers.data?.[0]?.name ?? null;
  const owned = managers.data?.find(({ name }) => name === manager)?.owned ?? [];
  return (
    <div className="stack">
      <Heading title="Documents" />
      <QueryResult query={managers} what="managers">
        {(all) =>
          all.length === 0 ? (
            <NoManagers projectId={projectId} />
          ) : (
            <Tabs
              label="Managers"
              tabs={all.map((one) => [managerPath(projectId, one.name), `${one.name} (${one.owned.length})`])}
              current={managerPath(projectId, manager ?? '')}
            />
          )
        }
      </QueryResult>
      {manager !== null && (
        <ManagedRecords
          key={manager}
          projectId={projectId}
          manager={manager}
          owned={owned}
          onEdit={startDocument}
        />
      )}
      <PlanForm
        key={document.count}
        projectId={projectId}
        text={document.text}
        onType={(text) => setDocument((now) => ({ ...now, text }))}
        onApplied={() => setDocument((now) => ({ ...now, untouched: now.text }))}
      />
    </div>
  );
}

/** Says what a document is, and how to start one from a record. */
function NoManagers({ projectId }: { readonly projectId: number }) {
  const { data: record = null } = useRead(
    [...familyKey({ projectId, family: 'plugin_configs' }), 'first'],
    async (options) => {
      const { results } = await service.project(projectId).pluginConfigs.list({ limit: 1 }, options).page();
      return results[0] ?? null;
    },
  );
  return (
    <Empty icon={FileJson} guide="declarative.md" title="No records are managed by a document">
      <p>
        A document declares records and their configurations, so they can be reviewed and versioned with your
        code. Plan one below
        {record !== null && `, or start from an existing record, such as ${recordName(record)}`}.
      </p>
      {record !== null && <Command text={adoptionOf(projectId, record)} />}
    </Empty>
  );
}
