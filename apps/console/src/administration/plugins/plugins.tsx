import { Link } from 'wouter';
import { mayEverywhere } from '../../session/may.ts';
import { useKey } from '../../session/session.ts';
import { service } from '../../shell/service.ts';
import { Empty } from '../../ui/empty.tsx';
import { Listing } from '../../ui/listing.tsx';
import { useListing } from '../../ui/use-listing.ts';
import { PLUGINS_KEY } from './plugin-queries.ts';

export function Plugins() {
  const key = useKey();
  const mayRegister = mayEverywhere(key, 'plugin_registry:write');
  const list = useListing(PLUGINS_KEY, async (range, signal) =>
    service.plugins.list(range, { signal }).page(),
  );
  return (
    <>
      {mayRegister && (
        <p>
          <Link href="/administration/plugins/new" className="button">
            Register a plugin
          </Link>
        </p>
      )}
      <Listing list={list} what="plugins" empty={<NoPlugin mayRegister={mayRegister} />}>
        {(plugins) => (
          <ul className="rows">
            {plugins.map(({ id, name, description, config_schema: fields = [] }) => (
              <li key={id}>
                <span>
                  <Link href={`/administration/plugins/${id}`}>
                    <bdi>{name}</bdi>
                  </Link>{' '}
                  <span className="hint">Plugin {id}</span>
                  {description !== undefined && <br />}
                  {description}
                </span>
                <span className="hint">{fields.length === 1 ? '1 field' : `${fields.length} fields`}</span>
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </>
  );
}

function NoPlugin({ mayRegister }: { readonly mayRegister: boolean }) {
  return (
    <Empty title="No plugins registered yet">
      <p>
        {mayRegister
          ? 'Register one to show its name on records and a form for its configuration.'
          : 'Registering plugins requires a key with the plugin_registry:write scope.'}
      </p>
    </Empty>
  );
}
