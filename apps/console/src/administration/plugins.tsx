import { Blocks, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { mayEverywhere, useKey } from '../session/session.ts';
import { pluginPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { PLUGINS_KEY } from '../record/use-plugins.ts';
import { Mark } from '../ui/mark.tsx';
import { Listing, useListing } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';

export function Plugins() {
  const mayRegister = mayEverywhere(useKey(), 'plugin_registry:write');
  const list = useListing(PLUGINS_KEY, async (range, options) => service.plugins.list(range, options).page());
  return (
    <>
      {mayRegister && (
        <p className="toolbar">
          <span className="hint">Registered plugins have a name, and a form for their configuration.</span>
          <Link href="/administration/plugins/new" className="button primary end">
            <Plus />
            Register a plugin
          </Link>
        </p>
      )}
      <Listing
        list={list}
        what="plugins"
        empty={
          <Empty icon={Blocks} guide="tour.md" title="No plugins registered yet">
            <p>
              {mayRegister
                ? 'Register a plugin to show its name on records and a form for its configuration.'
                : 'Registering plugins requires the plugin_registry:write scope.'}
            </p>
          </Empty>
        }
      >
        {({ id, slug, name, description, config_schema: fields = [] }) => (
          <>
            <span className="with-icon">
              <Mark name={name} seed={id} />
              <span>
                <Link href={pluginPath(id)}>
                  <bdi>{name}</bdi>
                </Link>{' '}
                <span className="hint">
                  Plugin {id}
                  {slug !== undefined && ` · ${slug}`}
                </span>
                {description !== undefined && <div className="hint">{description}</div>}
              </span>
            </span>
            <span className="hint">{fields.length === 1 ? '1 field' : `${fields.length} fields`}</span>
          </>
        )}
      </Listing>
    </>
  );
}
