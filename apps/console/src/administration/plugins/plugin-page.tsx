import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { service } from '../../shell/service.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { PluginForm } from './plugin-form.tsx';
import { pluginKey } from './plugin-queries.ts';

/** The registration of a plugin; the id `new` opens an empty form. */
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
  const query = useQuery({
    queryKey: pluginKey(id),
    queryFn: async ({ signal }) => service.plugins.retrieve(id, { signal }),
    refetchOnWindowFocus: false,
  });
  return (
    <QueryResult query={query} what="plugin">
      {(registered) => <PluginForm registered={registered} />}
    </QueryResult>
  );
}
