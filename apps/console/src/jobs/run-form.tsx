import type { JsonObject, PluginVersion } from '@plugin-config/client';
import { Play } from 'lucide-react';
import { FieldInputs } from '../editing/field-inputs.tsx';
import { NO_DRAFTS, withDraft } from '../editing/field.ts';
import { hasOtherErrors, problemsOf } from '../editing/problems.ts';
import { useProblems } from '../editing/use-problems.ts';
import { recordsOf } from '../live/use-family.ts';
import type { ScreenProperties } from '../record/use-record.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { Form, Select } from '../ui/fields.tsx';
import { Panel } from '../ui/panel.tsx';
import { QueryResult, useChange } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useDeclared } from '../versions/use-declared.ts';
import { NO_FORM } from '../versions/version-words.ts';
import { jobsKey, titleOf, type DeclaredJob } from './declared-job.ts';
import { payloadForm, payloadOf } from './payload-form.ts';

interface Properties extends ScreenProperties {
  readonly given: JsonObject;
  /** Called once the job is queued, or if the user changes their mind. */
  readonly onClose: () => void;
}

interface RunProperties extends Properties {
  readonly types: readonly DeclaredJob[];
  /** The chosen type. */
  readonly type: string;
  readonly onChoose: (type: string) => void;
}

/** Queues a job for the runtimes of a record's plugin. */
export function RunForm({ types, type, onChoose, ...job }: RunProperties) {
  const chosen = types.find((one) => one.type === type);
  return (
    <Panel title="Run a job">
      <div className="fields">
        <Select
          label="Type"
          value={chosen?.type ?? ''}
          options={[
            ...(chosen === undefined ? [['', 'Choose a type'] as const] : []),
            ...types.map((one) => [one.type, titleOf(one)] as const),
          ]}
          onChange={onChoose}
        />
        {chosen !== undefined && (
          <>
            {chosen.description !== undefined && <p className="hint">{chosen.description}</p>}
            <DeclaredPayload key={type} {...job} job={chosen} />
          </>
        )}
      </div>
    </Panel>
  );
}

interface PayloadProperties extends Properties {
  readonly job: DeclaredJob;
}

/** Records show the types of jobs without the schemas of their payloads. */
function DeclaredPayload(properties: PayloadProperties) {
  return (
    <QueryResult query={useDeclared(properties.at, properties.record)} what="form">
      {(declared) => <Payload {...properties} declared={declared} />}
    </QueryResult>
  );
}

function Payload({
  at,
  given,
  job,
  declared,
  onClose,
}: PayloadProperties & { readonly declared: Pick<PluginVersion, 'jobs'> | null }) {
  const { type } = job;
  const schema = declared?.jobs?.find((one) => one.type === type)?.payload_schema;
  const form = payloadForm(schema, given, declared === null ? NO_FORM : undefined);
  const [drafts, setDrafts] = useDraftState(
    () => NO_DRAFTS,
    (typed) => typed.size > 0,
  );
  const { element, problems, reject, forget } = useProblems();
  const { payload, mistakes } = payloadOf(form, drafts);
  const run = useChange(async () => recordsOf(at).queueJob(at.id, { job: { type, payload } }), {
    affects: jobsKey(at),
    notice: `${titleOf(job)} is queued.`,
    onSuccess: onClose,
    onError: (error) => reject(problemsOf(error, form)),
  });
  useConfirmLeaving(drafts.size > 0 && !run.isSuccess);
  const { error } = run;
  return (
    <Form
      ref={element}
      aria-label="Run a job"
      className="fields"
      noValidate
      onSubmit={() => {
        if (mistakes.size > 0) reject(mistakes);
        else if (!run.isPending) run.mutate();
      }}
    >
      <FieldInputs
        fields={form.fields}
        drafts={drafts}
        problems={problems}
        onEdit={(name, draft, place) => {
          setDrafts(withDraft(drafts, name, draft));
          forget(place);
        }}
      />
      <ErrorNote error={error !== null && hasOtherErrors(error, form) ? error : null} />
      <p className="actions">
        <button type="submit" className="primary" aria-disabled={run.isPending}>
          <Play />
          Run
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Form>
  );
}
