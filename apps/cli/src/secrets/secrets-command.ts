import type { MasterKeyUse } from '@plugin-config/persistence';
import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { printList, inform, print } from '../output.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { withServices } from '../with-services.ts';

export function secretsCommand(invocation: Invocation): Command {
  return new Command('secrets')
    .description('Manages the keys that encrypt configurations (SECRETS_KEYS).')
    .addHelpText('after', example('secrets generate', 'secrets list', 'secrets rotate'))
    .helpCommand(false)
    .addCommand(generateCommand())
    .addCommand(listCommand(invocation))
    .addCommand(rotateCommand(invocation));
}

function generateCommand(): Command {
  return new Command('generate')
    .description('Prints a new key for SECRETS_KEYS. It is not stored.')
    .addHelpText('after', example('secrets generate'))
    .action(async () => {
      const { newSecretsKey } = await import('@plugin-config/persistence');
      print(newSecretsKey());
    });
}

interface Listed extends MasterKeyUse {
  readonly state: 'first' | 'known' | 'missing';
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists the keys in use, and whether SECRETS_KEYS contains them.')
    .option(...JSON_OPTION)
    .addHelpText('after', example('secrets list --json'))
    .action(({ json }: { readonly json?: true }) =>
      withServices(env, async ({ masterKeys: { ids, ...masterKeys } }) => {
        const uses = (await masterKeys.uses()).map((use) => ({ ...use, state: stateOf(use.keyId, ids) }));
        printList(uses, { json, present, columns: COLUMNS, none: 'No keys are in use.' });
      }),
    );
}

function rotateCommand({ env }: Invocation): Command {
  return new Command('rotate')
    .description('Switches to the first key of SECRETS_KEYS. Older keys can then be removed.')
    .addHelpText(
      'after',
      '\nRewraps the data key of each project. Run it when all processes have the new key in SECRETS_KEYS.',
    )
    .addHelpText('after', example('secrets rotate'))
    .action(() =>
      withServices(env, async ({ masterKeys: { ids, ...masterKeys } }) => {
        await masterKeys.require({ mayLackSome: true });
        const [first] = ids;
        await masterKeys.rotate();
        const older = (await masterKeys.uses()).filter(({ keyId }) => keyId !== first);
        if (older.length > 0) throw new Error(describeOlder(older, ids));
        inform(`All data keys are wrapped with "${first}". Older keys are no longer needed.`);
      }),
    );
}

function stateOf(keyId: string, [first, ...others]: readonly string[]): Listed['state'] {
  if (keyId === first) return 'first';
  return others.includes(keyId) ? 'known' : 'missing';
}

function describeOlder(older: readonly MasterKeyUse[], keyIds: readonly string[]): string {
  const uses = older.map(({ keyId, dataKeys }) => `"${keyId}" (data keys: ${dataKeys})`);
  const missing = older.filter(({ keyId }) => !keyIds.includes(keyId)).map(({ keyId }) => `"${keyId}"`);
  const advice =
    missing.length === 0
      ? 'Run this command again.'
      : `Add ${missing.join(', ')} to SECRETS_KEYS and run this command again.`;
  return `Older keys are still needed: ${uses.join(', ')}. ${advice}`;
}

function present({ keyId, state, dataKeys }: Listed): object {
  return { key: keyId, state, data_keys: dataKeys };
}

const COLUMNS = {
  KEY: ({ keyId }: Listed) => keyId,
  STATE: ({ state }: Listed) => state,
  'DATA KEYS': ({ dataKeys }: Listed) => dataKeys,
};
