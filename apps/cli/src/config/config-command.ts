import type { Command } from 'commander';
import { group, type Invocation } from '../command.ts';
import { API_ENVIRONMENT } from '../project-api.ts';
import { applyCommand, planCommand, validateCommand } from './document-commands.ts';
import { adoptCommand, driftCommand, exportCommand, restoreCommand } from './record-commands.ts';

const ENVIRONMENT = `
${API_ENVIRONMENT}
In a pipeline, "plan", "apply" and "drift" need no key: set API_TRUST to the id of a trust.
Secrets are read from the variables CONFIG_SECRET_<NAME>, or from the file given with
--secrets.
Exit codes: 0 for success, 1 for an error or wrong usage, 2 for differences (with --exit-code).`;

export function configCommand(invocation: Invocation): Command {
  const commands = [
    exportCommand,
    validateCommand,
    planCommand,
    applyCommand,
    driftCommand,
    adoptCommand,
    restoreCommand,
  ];
  return group('config', 'Manages records declaratively: plan and apply a document, and detect drift.', {
    commands: commands.map((command) => command(invocation)),
    examples: ['config plan config.yaml --project 1 -o plan.json', 'config apply plan.json'],
  }).addHelpText('after', ENVIRONMENT);
}
