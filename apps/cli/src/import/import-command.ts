import { Command } from 'commander';
import { createReadStream } from 'node:fs';
import { example, JSON_OPTION, type Invocation, type JsonOption } from '../command.ts';
import { callersPath } from '../input-file.ts';
import { inform, print, printJson, readFields, table, type Fields } from '../output.ts';
import { API_ENVIRONMENT, openApi } from '../project-api.ts';
import type { Counts, ImportReport, Rejection } from './import-lines.ts';

const PROGRESS_MS = 2_000;

const HELP = `
A line is a tenant: {"external_id": …, "name": …, "plugin_configs": […],
"pipeline_transformation_configs": […]}, with records as in a document, which may hold
secrets as they are.

${API_ENVIRONMENT}
The key needs all projects, and the scope *, or project:write and plugin:write.
Exit codes: 0 for success, 1 if a line was rejected or the import stopped, 2 for wrong usage.`;

export function importCommand({ env, exit }: Invocation): Command {
  return new Command('import')
    .description('Imports tenants with their records. May be interrupted and repeated at any time.')
    .argument('<file>', 'a file with a tenant as JSON on each line, or - for standard input')
    .option(...JSON_OPTION)
    .addHelpText('after', example('import tenants.ndjson'))
    .addHelpText('after', HELP)
    .action(async (file: string, { json }: JsonOption) => {
      const api = await openApi(env, { retry: { attempts: 1 } });
      const { emptyReport, importLines } = await import('./import-lines.ts');
      const input = file === '-' ? process.stdin : createReadStream(callersPath(file, env));
      const report = emptyReport();
      let waitsFor = '';
      const onWait = (reason: string): void => {
        // Several lines wait for the same.
        if (reason !== waitsFor) inform(`Waiting for ${env['API_URL']}: ${reason}`);
        waitsFor = reason;
      };
      const timer = setInterval(() => {
        inform(`${progressOf(report)} …`);
        waitsFor = '';
      }, PROGRESS_MS);
      try {
        await importLines(input, { api, report, onWait });
      } finally {
        clearInterval(timer);
        show(report, json);
      }
      if (report.tenants.rejected > 0) exit(1);
    });
}

function progressOf({ tenants }: ImportReport): string {
  const counted = Object.entries(tenants).map(
    ([outcome, count]) => `${count.toLocaleString('en')} ${outcome}`,
  );
  return `Tenants: ${counted.join(', ')}`;
}

type Row = readonly [what: string, counts: Counts];

const COUNTED: Fields<Row> = {
  imported: ([what]) => what,
  created: ([, counts]) => counts.created,
  changed: ([, counts]) => counts.changed,
  unchanged: ([, counts]) => counts.unchanged,
  rejected: ([, counts]) => counts.rejected,
};

const REJECTED: Fields<Rejection> = {
  line: ({ line }) => line,
  external_id: ({ externalId }) => externalId,
  reason: ({ reason }) => reason,
};

function show({ tenants, records, ...report }: ImportReport, json?: true): void {
  const rejected = report.rejected.toSorted((a, b) => a.line - b.line);
  if (json)
    return printJson({ tenants, records, rejected: rejected.map((each) => readFields(each, REJECTED)) });
  print(
    table<Row>(
      [
        ['tenants', tenants],
        ['records', records],
      ],
      COUNTED,
    ),
  );
  if (rejected.length > 0) print(`\n${table(rejected, REJECTED, { cellMax: Infinity })}`);
  if (rejected.length < tenants.rejected)
    inform(`Only the first ${rejected.length} rejected lines are listed.`);
}
