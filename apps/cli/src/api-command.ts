import type { Endpoint } from '@plugin-config/contract';
import { FAMILIES } from '@plugin-config/domain';
import { Command, InvalidArgumentError } from 'commander';
import { example, type Invocation } from './command.ts';
import { readJson } from './input-file.ts';
import { print, printJson, table, type Fields } from './output.ts';
import { API_ENVIRONMENT, callService } from './project-api.ts';

const HELP = `
A name is that of an id in the path, of a parameter, or of a field of the body. A field whose
value is JSON is sent as such, and any other as text: events='["incident.opened"]'. To get
text that is also JSON, quote it: name='"2024"'.

${API_ENVIRONMENT}`;

/** An endpoint; for one family if its path has one. */
interface Operation {
  /** As in the OpenAPI document. */
  readonly id: string;
  readonly route: string;
  readonly endpoint: Endpoint;
}

const LISTED: Fields<Operation> = {
  operation: ({ id }) => id,
  ids: ({ route }) => idsIn(route),
  summary: ({ endpoint }) => endpoint.summary,
};

interface Options {
  readonly body?: string;
  readonly dryRun?: true;
  readonly field?: string;
}

/** The values by name. A parameter may have several. */
type Values = ReadonlyMap<string, readonly string[]>;

/** Calls any endpoint, as its definition says. */
export function apiCommand(invocation: Invocation): Command {
  return new Command('api')
    .description('Calls an operation of the API and prints its response. Without one, lists all of them.')
    .argument('[operation]', 'its name in the OpenAPI document, such as create_alert')
    .argument('[name=value...]', 'the input of the operation', readValues, new Map())
    .option('--body <file>', 'a JSON file with further fields of the body, or - for standard input')
    .option('--dry-run', 'do not store anything')
    .option('--field <name>', 'print only this field of the response')
    .addHelpText(
      'after',
      example(
        'api list_alerts project_id=1',
        'api create_webhook project_id=1 url=https://example.com/hook events=\'["incident.opened"]\'',
        'api register_plugin_version plugin_id=slug:mailer version=2.0.0 --body mailer-2.json',
      ),
    )
    .addHelpText('after', HELP)
    .action(async (id: string | undefined, values: Values, options: Options, command: Command) => {
      const all = await operations();
      if (id === undefined) return print(table(all, LISTED));
      const operation = all.find((one) => one.id === id);
      if (operation === undefined)
        return command.error(`error: unknown operation ${id}. "api" lists the operations.`);
      const missing = idsIn(operation.route).find((name) => !values.has(name));
      if (missing !== undefined) command.error(`error: ${id} needs ${missing}=<value>`);
      const { body: file, dryRun, field } = options;
      if (file !== undefined && operation.endpoint.body === undefined)
        command.error(`error: ${id} takes no body`);
      const fields = file === undefined ? {} : await readJson(file, invocation.env);
      await callService(invocation, {}, async (client) => {
        const { body, ...parts } = partsOf(operation, values);
        const sent = { ...parts, body: body && { ...fields, ...body } };
        const response = await client.request(operation.route, sent, { dryRun });
        if (field !== undefined) print(String((response as Record<string, unknown>)[field]));
        else if (response !== undefined) printJson(response);
      });
    });
}

/** Returns the operations that respond once. */
async function operations(): Promise<readonly Operation[]> {
  const { endpoints, FAMILY_WORDS } = await import('@plugin-config/contract');
  return Object.values<Endpoint>(endpoints).flatMap((endpoint) => {
    const { operationId, method, path, events, needs } = endpoint;
    if (events !== undefined || needs === 'page') return [];
    const families = path.includes(':family') ? FAMILIES : FAMILIES.slice(0, 1);
    return families.map((family) => ({
      id: operationId.replace('{one}', FAMILY_WORDS[family].one).replace('{many}', FAMILY_WORDS[family].many),
      route: `${method} ${path.replace(':family', family)}`,
      endpoint,
    }));
  });
}

function idsIn(route: string): readonly string[] {
  return [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Says which values are ids in the path, parameters and fields of the body. */
function partsOf({ route, endpoint: { query, body } }: Operation, values: Values) {
  const ids = idsIn(route);
  const parameters = query === undefined ? {} : 'in' in query ? query.in.shape : query.shape;
  const others = [...values].filter(([name]) => !ids.includes(name));
  const isField = (name: string): boolean => body !== undefined && !(name in parameters);
  return {
    params: Object.fromEntries(ids.map((name) => [name, values.get(name)?.at(-1) ?? ''])),
    query: Object.fromEntries(others.filter(([name]) => !isField(name))),
    body:
      body &&
      Object.fromEntries(
        others.flatMap(([name, texts]) => (isField(name) ? [[name, valueOf(texts.at(-1) ?? '')]] : [])),
      ),
  };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readValues(text: string, before: Values): Values {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Expected a name and a value, such as project_id=1.');
  return new Map([...before, [name, [...(before.get(name) ?? []), value]]]);
}
