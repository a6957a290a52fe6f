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

/** The head of an answer, with what matters of its request. */
export interface AnswerHead {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
}

export interface CheckedHead {
  /** The operation and the status, such as `list_plugin_configs 200`; null if the document has no such operation. */
  readonly answer: string | null;
  readonly violations: readonly string[];
  /** True if the body is a stream of server-sent events. */
  readonly isStream: boolean;
  /** Checks the whole body or, of a stream, one event. */
  readonly checkBody: (text: string) => readonly string[];
}

export type AnswerCheck = (head: AnswerHead) => CheckedHead;

/** Headers of HTTP itself, which the document of an API does not repeat. */
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

/**
 * Checks answers against an OpenAPI 3.1 document. It is strict: an answer has no field and no header that the document
 * does not describe.
 */
export function answerCheck(served: object): AnswerCheck {
  const document = JSON.parse(JSON.stringify(served)) as JsonObject;
  const operations = operationsOf(document);
  const check = schemaCheck(document);
  return (head) => {
    const operation = operationFor(operations, head);
    if (operation === undefined) return checkOther(check, head, describesPath(operations, head.path));
    const { method, status, headers } = head;
    const answer = `${operation.id} ${status}`;
    const blame = blameOn(answer);
    if (!operation.statuses.includes(status))
      return { ...UNKNOWN, answer, violations: blame('the status is not described') };
    const response = locate(document, `${operation.pointer}/responses/${status}`);
    const content = {
      check,
      pointer: pointerTo(response.pointer, 'content'),
      content: response.value['content'],
    };
    return {
      answer,
      isStream: typeOf(headers) === EVENT_STREAM,
      violations: blame(...checkHeaders({ document, check, response }, headers)),
      checkBody: (text) =>
        blame(method === 'HEAD' ? noBody(text) : checkBody(content, typeOf(headers), text)),
    };
  };
}

const UNKNOWN: CheckedHead = { answer: null, isStream: false, violations: [], checkBody: () => [] };

const blameOn =
  (answer: string) =>
  (...reasons: readonly (string | null)[]): readonly string[] =>
    reasons.filter((reason) => reason !== null).map((reason) => `${answer}: ${reason}`);

/** Checks the answer to a request that the document does not describe: it is rejected, or is for a page. */
function checkOther(check: SchemaCheck, { method, path, status }: AnswerHead, hasPath: boolean): CheckedHead {
  const blame = blameOn(`${method} ${path} ${status}`);
  if (status >= 400) return { ...UNKNOWN, checkBody: (text) => blame(checkJson(check, ERROR, text)) };
  return hasPath && method !== 'OPTIONS'
    ? { ...UNKNOWN, violations: blame('the method is not described') }
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
