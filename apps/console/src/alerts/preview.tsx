import { useMutation } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { RecordLink } from '../record/record-link.tsx';
import { service } from '../shell/service.ts';
import { Panel } from '../ui/panel.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { previewOf, type AlertForm } from './alert-form.ts';
import { hasPreview } from './alert-words.ts';
import { openText, previewText, timelinesOf, type Timeline } from './timelines.ts';

declare module 'react' {
  interface CSSProperties {
    /** Where a span of a timeline starts and how long it is, as shares of the whole. */
    readonly '--start'?: number;
    readonly '--length'?: number;
  }
}

const SHOWN_MAX = 20;

interface Properties {
  readonly projectId: number;
  readonly form: AlertForm;
}

/** The incidents that an alert would have opened in the last 24 hours. */
export function Preview({ projectId, form }: Properties) {
  const preview = useMutation({
    mutationFn: async () => {
      const result = await service.project(projectId).alerts.preview(previewOf(form));
      return { result, at: Date.now() };
    },
  });
  const { data } = preview;
  return (
    <div className="alert-preview">
      <Panel
        title="The last 24 hours"
        actions={
          hasPreview(form.signal) && (
            <button
              type="button"
              className="small end"
              aria-disabled={preview.isPending}
              onClick={() => preview.isPending || preview.mutate()}
            >
              <History />
              Preview
            </button>
          )
        }
      >
        <ErrorNote error={preview.error} />
        <div role="status">
          {data === undefined ? (
            <p className="hint">
              {hasPreview(form.signal)
                ? 'Preview the rule to see which incidents it would have opened, before you save it.'
                : 'This signal has no history to preview. It fires from the moment the alert is saved.'}
            </p>
          ) : (
            <p>{previewText(data.result)}</p>
          )}
        </div>
        {data !== undefined && data.result.results.length > 0 && (
          <Timelines projectId={projectId} form={form} timelines={timelinesOf(data.result, data.at)} />
        )}
      </Panel>
    </div>
  );
}

interface TimelineProperties extends Properties {
  readonly timelines: readonly Timeline[];
}

/** When each record would have had an incident. */
function Timelines({ projectId, form: { family }, timelines }: TimelineProperties) {
  const more = timelines.length - SHOWN_MAX;
  return (
    <>
      <ul className="timelines">
        {timelines.slice(0, SHOWN_MAX).map(({ recordId, spans, minutes }) => (
          <li key={recordId}>
            <RecordLink at={{ projectId, family, id: recordId }} />
            <span className="hint">
              {spans.length === 1 ? '1 incident' : `${spans.length} incidents`}, {openText(minutes)}
            </span>
            <div className="timeline" aria-hidden="true">
              {spans.map(({ start, length }) => (
                <span key={start} style={{ '--start': start, '--length': length }} />
              ))}
            </div>
          </li>
        ))}
      </ul>
      <p className="chart-ends hint" aria-hidden="true">
        <span>24 hours ago</span>
        <span>now</span>
      </p>
      {more > 0 && <p className="hint">+{more} more records</p>}
    </>
  );
}
