import { checkBody, checkJson, EVENT_STREAM, noBody } from './body-check.ts';
import {
  describesPath,
  isObject,
  locate,
  operationFor,
  operationsOf,
  pointerTo,
  type JsonObject,
  type Located,
} from './document.ts';
import { schemaCheck, type SchemaCheck } from './schema-check.ts';

/** The head of a response, with the method and path of its request. */
export interface ResponseHead {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
}

export interface CheckedHead {
  /** The operation and the status, such as `list_plugin_configs 200`; null if the document has no such operation. */
  readonly name: string | null;
  readonly violations: readonly string[];
  /** True if the body is a stream of server-sent events. */
  readonly isStream: boolean;
  /** Checks the whole body, or one event of a stream. */
  readonly checkBody: (text: string) => readonly string[];
}

export type ResponseCheck = (head: ResponseHead) => CheckedHead;

/** Headers of HTTP itself, which the document does not describe. */
const TRANSPORT = new Set([
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]);
const ERROR = '/components/schemas/Error';

/** Checks responses against an OpenAPI 3.1 document. Rejects fields and headers that the document does not describe. */
export function responseCheck(served: object): ResponseCheck {
  const document = JSON.parse(JSON.stringify(served)) as JsonObject;
  const operations = operationsOf(document);
  const check = schemaCheck(document);
  return (head) => {
    const operation = operationFor(operations, head);
    if (operation === undefined) return checkUndescribed(check, head, describesPath(operations, head.path));
    const { method, status, headers } = head;
    const name = `${operation.id} ${status}`;
    const violationsOf = violationsIn(name);
    if (!operation.statuses.includes(status))
      return { ...UNKNOWN, name, violations: violationsOf('the status is not described') };
    const response = locate(document, `${operation.pointer}/responses/${status}`);
    const content = {
      check,
      pointer: pointerTo(response.pointer, 'content'),
      content: response.value['content'],
    };
    return {
      name,
      isStream: typeOf(headers) === EVENT_STREAM,
      violations: violationsOf(...checkHeaders({ document, check, response }, headers)),
      checkBody: (text) =>
        violationsOf(method === 'HEAD' ? noBody(text) : checkBody(content, typeOf(headers), text)),
    };
  };
}

const UNKNOWN: CheckedHead = { name: null, isStream: false, violations: [], checkBody: () => [] };

const violationsIn =
  (name: string) =>
  (...reasons: readonly (string | null)[]): readonly string[] =>
    reasons.filter((reason) => reason !== null).map((reason) => `${name}: ${reason}`);

/** Checks the response to a request that the document does not describe: an error, or a page. */
function checkUndescribed(
  check: SchemaCheck,
  { method, path, status, headers }: ResponseHead,
  hasPath: boolean,
): CheckedHead {
  const violationsOf = violationsIn(`${method} ${path} ${status}`);
  // A page for people, such as that of a sign-in that failed.
  if (!hasPath && typeOf(headers) === 'text/html') return UNKNOWN;
  if (status >= 400) return { ...UNKNOWN, checkBody: (text) => violationsOf(checkJson(check, ERROR, text)) };
  return hasPath && method !== 'OPTIONS'
    ? { ...UNKNOWN, violations: violationsOf('the method is not described') }
    : UNKNOWN;
}

function checkHeaders(
  { document, check, response }: { document: JsonObject; check: SchemaCheck; response: Located },
  headers: Headers,
): readonly (string | null)[] {
  const described = Object.keys(isObject(response.value['headers']) ? response.value['headers'] : {});
  const known = new Set(described.map((name) => name.toLowerCase()));
  const others = [...headers.keys()].filter((name) => !known.has(name) && !TRANSPORT.has(name));
  return [
    ...others.map((name) => `the header ${name} is not described`),
    ...described.map((name) => {
      const header = locate(document, pointerTo(response.pointer, 'headers', name));
      const value = headers.get(name);
      if (value === null) return header.value['required'] === true ? `the header ${name} is missing` : null;
      const reason = check(`${header.pointer}/schema`, [Number(value), value]);
      return reason === null ? null : `the header ${name} ${reason}`;
    }),
  ];
}

function typeOf(headers: Headers): string {
  return headers.get('content-type')?.split(';')[0] ?? '';
}
