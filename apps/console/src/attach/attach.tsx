import { usePlugins } from '../record/use-plugins.ts';
import { useMayWrite } from '../session/session.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { Heading, parentOf } from '../shell/heading.tsx';
import { QueryResult } from '../ui/queries.tsx';
import { AttachForm } from './attach-form.tsx';

/** A form that attaches a plugin to a project. */
export function Attach({ at }: { readonly at: FamilyRef }) {
  const mayWrite = useMayWrite();
  const registered = usePlugins();
  return (
    <>
      <Heading parent={parentOf(at)} title="Attach a plugin" />
      <QueryResult query={registered} what="plugins">
        {(plugins) => (
          <>
            {plugins.length === 0 && (
              <p className="hint">
                No plugins are registered yet, so enter the number of a plugin. Register one with{' '}
                <code>npm run cli -- plugin register plugin.json</code> to choose it by name and configure it
                in a form.
              </p>
            )}
            {mayWrite ? (
              <AttachForm at={at} plugins={plugins} />
            ) : (
              <p>Attaching a plugin requires the plugin:write scope.</p>
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}
