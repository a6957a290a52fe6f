import type { ProjectError } from '@plugin-config/client';
import type { PluginRef } from '@plugin-config/domain';
import { Command } from 'commander';
import { example, JSON_OPTION, readPlugin, type Invocation, type JsonOption } from '../command.ts';
import { inform, type Fields } from '../output.ts';
import { API_ENVIRONMENT, callService, showItems } from '../project-api.ts';

const ERROR: Fields<ProjectError> = {
  project: ({ project }) => project.id,
  external_id: ({ project }) => project.external_id,
  project_name: ({ project }) => project.name,
  family: ({ family }) => family,
  record: ({ record }) => record.id,
  name: ({ record }) => record.name,
  error: ({ error }) => error,
  reported_at: ({ reported_at: at }) => at,
};

const SHOWN = 1000;

export function errorsCommand(invocation: Invocation): Command {
  return new Command('errors')
    .description(`Lists the ${SHOWN} newest errors that records of all projects show.`)
    .option(
      '--plugin <plugin>',
      'only those of records of this plugin: its id, or slug: and its slug',
      readPlugin,
    )
    .option(...JSON_OPTION)
    .addHelpText('after', `${example('errors --plugin 8')}\n\n${API_ENVIRONMENT}`)
    .action(({ plugin, json }: JsonOption & { readonly plugin?: PluginRef }) =>
      callService(invocation, { json }, async ({ errors }) => {
        const { results, next } = await errors({ limit: SHOWN, plugin }).page();
        const none = plugin === undefined ? 'No errors.' : `No record of plugin ${plugin} shows an error.`;
        showItems(results, { json, fields: ERROR, none });
        if (next !== null) inform(`Showing ${SHOWN} errors. There are more.`);
      }),
    );
}
