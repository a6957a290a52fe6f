import { PluginConfigError } from '@plugin-config/client';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Compass, KeyRound, RotateCw } from 'lucide-react';
import { useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { may, SESSION_KEY, SignedIn, type SessionState } from '../session/session.ts';
import { service } from '../shell/service.ts';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import type { ShownProject } from './embed-address.ts';
import type { Tokens } from './tokens.ts';

interface Properties {
  readonly tokens: Tokens;
  /** Null if the address has none. */
  readonly project: ShownProject | null;
  readonly children: (projectId: number) => ReactNode;
}

/** Shows the plugins of a project once the product has sent a token for it. */
export function EmbedGate({ tokens, project, children }: Properties) {
  const queries = useQueryClient();
  const { key, error } = useSyncExternalStore(tokens.subscribe, tokens.state);
  useEffect(() => void tokens.renew(), [tokens]);
  // A customer gets what `config:write` allows, whatever else the token grants.
  const narrowed = useMemo(
    () => key && { ...key, scopes: may(key, 'config:write') ? (['config:write'] as const) : [] },
    [key],
  );
  useEffect(() => {
    if (narrowed !== null) queries.setQueryData<SessionState>(SESSION_KEY, { key: narrowed });
  }, [queries, narrowed]);
  if (project === null) return <Empty icon={Compass} title="There is nothing at this address" />;
  return (
    <>
      {error !== null && <NoToken hasContent={key !== null} retry={tokens.renew} />}
      {narrowed === null ? (
        error === null && <Loading what="plugins" />
      ) : (
        <SignedIn value={narrowed}>
          <Project project={project}>{children}</Project>
        </SignedIn>
      )}
    </>
  );
}

/** Shown if the product has no token, or one that the service rejects. What was there stays. */
function NoToken({ hasContent, retry }: { readonly hasContent: boolean; readonly retry: () => unknown }) {
  const text = 'You may have been signed out. Sign in again, then try again.';
  const button = (
    <button type="button" onClick={() => retry()}>
      <RotateCw />
      Try again
    </button>
  );
  if (!hasContent) {
    return (
      <Empty icon={KeyRound} title="Your plugins cannot be shown">
        <p>{text}</p>
        {button}
      </Empty>
    );
  }
  return (
    <div role="alert" className="note warn">
      <KeyRound />
      <div>
        <p>{text} Your input is kept.</p>
        <p className="actions">{button}</p>
      </div>
    </div>
  );
}

/** Looks up the id of the project. */
function Project({ project, children }: Pick<Properties, 'children'> & { readonly project: ShownProject }) {
  const query = useRead(
    ['projects', 'one', project],
    async (options) => service.project(project).retrieve(options),
    { staleTime: Infinity },
  );
  const { error } = query;
  if (error instanceof PluginConfigError && (error.status === 403 || error.status === 404)) {
    return (
      <Empty icon={Ban} title="Your plugins cannot be shown">
        <p>This page was opened for another project.</p>
      </Empty>
    );
  }
  return (
    <QueryResult query={query} what="plugins">
      {({ id }) => children(id)}
    </QueryResult>
  );
}
