import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { service } from '../../shell/service.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PluginForm } from './plugin-form.tsx';
import { pluginKey } from './plugin-queries.ts';

/** The registration of a plugin; `new` for one that is not registered yet. */
export function PluginPage({ id }: { readonly id: string }) {
  return (
    <>
      <p>
        <Link href="/administration/plugins">All plugins</Link>
      </p>
      {id === 'new' ? <PluginForm registered={null} /> : <Registered id={Number(id)} />}
    </>
  );
}

function Registered({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: pluginKey(id),
    queryFn: async ({ signal }) => service.plugins.retrieve(id, { signal }),
    refetchOnWindowFocus: false,
  });
  // A form that is shown has what was typed, so it stays though a later read fails.
  if (data !== undefined) return <PluginForm registered={data} />;
  return error === null ? (
    <Loading what="the plugin" />
  ) : (
    <ErrorNote error={error} retry={() => void refetch()} />
  );
}
