import { secretKeyUses, rotateSecrets, type SecretKeyUse } from '@plugin-config/domain';
import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { printList, inform } from '../output.ts';
import { progress } from '../inform-now-and-then.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { withServices } from '../with-services.ts';

export function secretsCommand(invocation: Invocation): Command {
  return new Command('secrets')
    .description('The keys that secrets are encrypted with.')
    .addHelpText('after', example('secrets list', 'secrets rotate'))
    .helpCommand(false)
    .addCommand(listCommand(invocation))
    .addCommand(rotateCommand(invocation));
}

interface Listed extends SecretKeyUse {
  readonly state: 'first' | 'known' | 'missing';
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists the keys in use and whether SECRETS_KEYS has them.')
    .option(...JSON_OPTION)
    .addHelpText('after', example('secrets list --json'))
    .action(({ json }: { readonly json?: true }) =>
      withServices(env, async (services) => {
        const { keyIds } = services.secretBox;
        const uses = (await secretKeyUses(services)).map((use) => ({
          ...use,
          state: stateOf(use.keyId, keyIds),
        }));
        printList(uses, { json, present, columns: COLUMNS, none: 'No secret is stored.' });
      }),
    );
}

function rotateCommand({ env }: Invocation): Command {
  return new Command('rotate')
    .description('Encrypts all stored secrets with the first key of SECRETS_KEYS.')
    .addHelpText('after', '\nIf it is interrupted, run it again: it continues where it stopped.')
    .addHelpText('after', example('secrets rotate'))
    .action(() =>
      withServices(env, async (services) => {
        await rotateSecrets(
          services,
          progress((done: number, of: number) => `Re-encrypted ${done} of ${of}.`),
        );
        const [first] = services.secretBox.keyIds;
        const remaining = (await secretKeyUses(services)).filter(({ keyId }) => keyId !== first);
        if (remaining.length > 0) throw new Error(describeRemaining(remaining, services.secretBox.keyIds));
        inform(
          `All secrets are encrypted with "${first}", the first of the SECRETS_KEYS that this command was given.`,
        );
      }),
    );
}

function stateOf(keyId: string, [first, ...others]: readonly string[]): Listed['state'] {
  if (keyId === first) return 'first';
  return others.includes(keyId) ? 'known' : 'missing';
}

function describeRemaining(remaining: readonly SecretKeyUse[], keyIds: readonly string[]): string {
  const uses = remaining.map(
    ({ keyId, records, plugins }) => `"${keyId}" (records: ${records}, plugins: ${plugins})`,
  );
  const missing = remaining.filter(({ keyId }) => !keyIds.includes(keyId)).map(({ keyId }) => `"${keyId}"`);
  const advice =
    missing.length === 0 ? 'Run it again.' : `Add ${missing.join(', ')} to SECRETS_KEYS and run it again.`;
  return `Still encrypted with other keys: ${uses.join(', ')}. ${advice}`;
}

function present({ keyId, state, records, plugins }: Listed): object {
  return { key: keyId, state, records, plugins };
}

const COLUMNS = {
  KEY: ({ keyId }: Listed) => keyId,
  STATE: ({ state }: Listed) => state,
  RECORDS: ({ records }: Listed) => records,
  PLUGINS: ({ plugins }: Listed) => plugins,
};
