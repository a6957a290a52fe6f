import * as z from 'zod';
import { UPGRADE_STATES } from '@plugin-config/domain/vocabulary';
import { actor } from './activity.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { versionName } from './plugin-version.ts';

const force = z.boolean().meta({
  description: 'Whether records are upgraded even if one of their runtimes does not know the new schema.',
});

/** How to upgrade all records. */
export const upgradeAllBody = z
  .object({ force: force.default(false) })
  .meta({ id: 'UpgradeRecords', description: 'How to upgrade the records.' });

const progress = z.object({
  total: natural().meta({
    description: 'The records that had another schema version, or were pinned to another version.',
  }),
  done: natural().meta({ description: 'The records so far, including those deleted meanwhile.' }),
  upgraded: natural(),
  needs_input: natural().meta({ description: 'A person has to decide something.' }),
  unsupported: natural().meta({ description: 'A runtime does not know the schema.' }),
  pinned: natural(),
});

export const pluginUpgrade = z
  .object({
    version: versionName,
    schema_version: natural(),
    state: z.enum(UPGRADE_STATES),
    progress,
    force,
    actor,
    started_at: moment,
    finished_at: moment.nullable(),
  })
  .meta({
    id: 'PluginUpgrade',
    description: 'An upgrade of all records of a plugin to a version.',
  });
