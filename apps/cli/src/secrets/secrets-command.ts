import type { MasterKeyUse } from '@plugin-config/persistence';
import { Command } from 'commander';
import { group, JSON_OPTION, withServices, type Invocation, type JsonOption } from '../command.ts';
import { inform, print, printList, type Fields } from '../output.ts';

export function secretsCommand(invocation: Invocation): Command {
  return group('secrets', 'Manages the keys that encrypt configurations (SECRETS_KEYS).', {
    commands: [generateCommand(), listCommand(invocation), rotateCommand(invocation)],
    examples: ['secrets generate', 'secrets list', 'secrets rotate'],
  });
}

function generateCommand(): Command {
  return new Command('generate')
    .description('Prints a new key for SECRETS_KEYS. It is not stored.')
    .action(async () => {
      const { newSecretsKey } = await import('@plugin-config/persistence');
      print(newSecretsKey());
    });
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists the keys in use, and whether SECRETS_KEYS contains them.')
    .option(...JSON_OPTION)
    .action(({ json }: JsonOption) =>
      withServices(env, async ({ masterKeys }) => {
        const fields = usageFields(masterKeys.ids);
        printList(await masterKeys.uses(), { json, fields, none: 'No keys are in use.' });
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
    .action(() =>
      withServices(env, async ({ masterKeys: { ids, ...masterKeys } }) => {
        await masterKeys.require({ allowMissing: true });
        const [first] = ids;
        await masterKeys.rotate();
        const older = (await masterKeys.uses()).filter(({ keyId }) => keyId !== first);
        if (older.length > 0) throw new Error(describeOlder(older, ids));
        inform(`All data keys are wrapped with "${first}". Older keys are no longer needed.`);
      }),
    );
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

function usageFields([first, ...others]: readonly string[]): Fields<MasterKeyUse> {
  return {
    key: ({ keyId }) => keyId,
    state: ({ keyId }) => (keyId === first ? 'first' : others.includes(keyId) ? 'known' : 'missing'),
    data_keys: ({ dataKeys }) => dataKeys,
  };
}
