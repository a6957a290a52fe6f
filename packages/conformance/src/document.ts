export interface JsonObject {
  readonly [key: string]: unknown;
}

/** An object in a document, and the JSON pointer to it. */
export interface Located {
  readonly pointer: string;
  readonly value: JsonObject;
}

export interface Operation extends Located {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** The parts of the path. */
  readonly parts: readonly string[];
  readonly statuses: readonly number[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object at the pointer, and follows references. */
export function locate(document: object, pointer: string): Located {
  const tokens = pointer.split('/').slice(1);
  const value = tokens.reduce<unknown>(
    (at, token) => (typeof at === 'object' && at !== null ? (at as JsonObject)[unescaped(token)] : undefined),
    document,
  );
  if (!isObject(value)) throw new Error(`The document has no object at ${pointer}.`);
  const { $ref } = value;
  return typeof $ref === 'string' ? locate(document, $ref.replace('#', '')) : { pointer, value };
}

/** Returns the pointer to a member of the object at `pointer`. */
export function pointerTo(pointer: string, ...names: readonly string[]): string {
  return [pointer, ...names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

export function operationsOf(document: object): readonly Operation[] {
  const { value: paths } = locate(document, '/paths');
  return Object.keys(paths).flatMap((path) =>
    METHODS.flatMap((method) => {
      const pointer = pointerTo('/paths', path, method);
      const item = paths[path];
      if (!isObject(item) || item[method] === undefined) return [];
      const { value } = locate(document, pointer);
      const statuses = Object.keys(locate(document, `${pointer}/responses`).value).map(Number);
      const id = String(value['operationId']);
      const parts = path.split('/');
      return [{ id, method: method.toUpperCase(), path, parts, statuses, pointer, value }];
    }),
  );
}

/** Returns the operation of a request; undefined if the document has none. HEAD counts as GET. */
export function operationFor(
  operations: readonly Operation[],
  { method, path }: { readonly method: string; readonly path: string },
): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const actual = partsOf(path);
  const [template] = operations
    .filter(({ parts }) => matches(parts, actual))
    .toSorted((a, b) => parameters(a.path) - parameters(b.path));
  return operations.find((operation) => operation.path === template?.path && operation.method === wanted);
}

export function describesPath(operations: readonly Operation[], path: string): boolean {
  const actual = partsOf(path);
  return operations.some(({ parts }) => matches(parts, actual));
}

/** Returns the parts of the path of a request, of which a trailing slash is none. */
const partsOf = (path: string): readonly string[] => path.replace(/\/$/, '').split('/');

function matches(wanted: readonly string[], actual: readonly string[]): boolean {
  return (
    wanted.length === actual.length &&
    wanted.every((part, at) => (part.startsWith('{') ? actual[at] !== '' : part === actual[at]))
  );
}

const parameters = (template: string): number => template.split('{').length;
