import * as z from 'zod';
import { PLUGIN_VERSION_MAX, UPGRADE_STATES } from '@plugin-config/domain/vocabulary';
import { actor } from './activity.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { responseText } from './response-text.ts';

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
    version: responseText(PLUGIN_VERSION_MAX),
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
    examples: [
      {
        version: '2.3.1',
        schema_version: 2,
        state: 'running',
        progress: { total: 4_210, done: 1_200, upgraded: 1_171, needs_input: 17, unsupported: 0, pinned: 12 },
        force: false,
        actor: { key_id: 3, label: 'deploy script' },
        started_at: '2026-03-01T09:30:00.000Z',
        finished_at: null,
      },
    ],
  });
