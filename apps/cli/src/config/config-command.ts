import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { example } from '../usage.ts';
import { applyCommand } from './apply-command.ts';
import { driftCommand, exportCommand, validateCommand } from './read-commands.ts';
import { adoptCommand, releaseCommand, restoreCommand } from './record-commands.ts';
import { diffCommand, planCommand } from './plan-command.ts';

const OVER_THE_API = `
These commands use the API, not the database: API_URL is the address of the service, API_KEY
a key for it. Secrets come from variables CONFIG_SECRET_<NAME>, or from --secrets.
The exit code is 0, 1 after an error or wrong usage, 2 if something differs and --exit-code is given.`;

export function configCommand(invocation: Invocation): Command {
  const group = new Command('config')
    .description('The records of a manager as a document: plan it, apply it, see what was edited since.')
    .addHelpText('after', OVER_THE_API)
    .addHelpText(
      'after',
      example('config plan config.yaml --project 1 -o plan.json', 'config apply plan.json'),
    )
    .helpCommand(false);
  const commands = [
    exportCommand,
    validateCommand,
    planCommand,
    applyCommand,
    diffCommand,
    driftCommand,
    adoptCommand,
    releaseCommand,
    restoreCommand,
  ];
  for (const command of commands) group.addCommand(command(invocation));
  return group;
}
