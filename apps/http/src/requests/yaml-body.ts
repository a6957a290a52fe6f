import { MisreadText, YAML_MAX_BYTES, yamlInThread, YamlTooCostly } from '@plugin-config/document-format';
import { parseExactly, ranOutOfPatience } from '@plugin-config/domain';
import type { ByteBudget, ConcurrencyLimit } from '@plugin-config/flow';
import { accessOf, HttpProblem, parseError, patienceOf, problemOf, queryOf } from '@plugin-config/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteHandler } from '../endpoints/dry-run.ts';
import { receiveBody, refuseOtherTypes, textOf } from './json-body.ts';

export const YAML = 'application/yaml';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if a body may be YAML. */
    yaml?: boolean;
  }
  interface FastifyRequest {
    /** Adds the line and the column to what is refused in the body; null if it was not sent as YAML. */
    withPlaces: ((error: unknown) => Promise<unknown>) | null;
  }
}

interface Dependencies {
  readonly budget: ByteBudget<number | undefined>;
  /** Bounds the texts that are read or written at a time. */
  readonly limitYaml: ConcurrencyLimit;
}

/** Parses YAML bodies where they are taken, and refuses them elsewhere. */
export function readYamlBodies(app: FastifyInstance, { budget, limitYaml }: Dependencies): void {
  app.decorateRequest('withPlaces', null);
  app.addContentTypeParser(YAML, async (request: FastifyRequest) => {
    if (request.routeOptions.config.yaml !== true) return refuseOtherTypes(request);
    const received = await receiveBody(request, budget, YAML_MAX_BYTES);
    if (received === null) return {};
    const text = textOf(request, received.body);
    // What is aside in the query is a part of the request, too.
    request.routeOptions.config.noteBody?.(request, `${queryOf(request.url)}\n${text}`);
    request.withPlaces = async (error) => withPlaces(request, text, error, limitYaml);
    return parseExactly(
      await inTurn(request, limitYaml, (signal) => yamlInThread.read(text, signal)).catch(refuseText),
    );
  });
}

/** Handles a request that may have a YAML body. */
export function tellPlaces(handle: RouteHandler): RouteHandler {
  return async (request, reply) => {
    try {
      await handle(request, reply);
    } catch (error) {
      throw request.withPlaces === null ? error : await request.withPlaces(error);
    }
  };
}

/** The parameters beside the document. */
const ASIDE = new Set(['base', 'digest', 'max_deletes', 'dry_run']);

async function withPlaces(
  request: FastifyRequest,
  text: string,
  error: unknown,
  limitYaml: ConcurrencyLimit,
): Promise<unknown> {
  const { errors, ...problem } = problemOf(error, request.routeOptions.bodyLimit);
  if (problem.attr === null || ASIDE.has(problem.attr)) return error;
  const told = [problem, ...(errors ?? [])];
  const attrs = told.map(({ attr }) => attr ?? '');
  const find = inTurn(request, limitYaml, (signal) => yamlInThread.places(text, attrs, signal));
  // The refusal stands also if its place is not found in time.
  const places = await find.catch(() => null);
  if (places === null) return error;
  const [first = problem, ...others] = told.map((each, i) => ({
    ...each,
    detail: `${each.detail} (line ${places[i]?.line}, column ${places[i]?.column})`,
  }));
  return new HttpProblem({ ...problem, ...first, ...(errors !== undefined && { errors: others }) });
}

/** Says how a text cannot be read. */
function refuseText(error: unknown): never {
  if (error instanceof MisreadText) {
    const { line, column } = error.place;
    throw parseError(`${error.message} (line ${line}, column ${column})`, 'YAML');
  }
  throw error instanceof YamlTooCostly ? parseError(`${error.message} Send JSON.`, 'YAML') : error;
}

/** Works on YAML when it is the turn of the project, and for no longer than the request is patient. */
export async function inTurn<T>(
  request: FastifyRequest,
  limitYaml: ConcurrencyLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const patience = patienceOf(request);
  const inTime = async (): Promise<T> => {
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(patience.left())));
    return work(signal).catch((error: unknown) => {
      throw signal.aborted ? ranOutOfPatience() : error;
    });
  };
  return limitYaml(accessOf(request).projectId, inTime, patience);
}
