import type * as z from 'zod';
import type { JsonObject } from './json.ts';

/** The scopes that an endpoint of the API can ask for. */
export type WireScope = 'plugin:read' | 'plugin:write';

/** What the server looks up before the handler runs; where it is not there, the answer is 404. */
export type Need = 'key' | 'project' | 'family' | 'record';

/** One endpoint of the API as a value: the server mounts it, the document describes it, clients call it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:family` in it, there is one for every family. */
  readonly path: string;
  /** Only for the families whose records have a log. */
  readonly needsLog?: true;
  /** The name of the operation in the document, where `{one}` and `{many}` stand for the family's words. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Null where any valid key will do. */
  readonly scope: WireScope | null;
  readonly needs: Need;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject | z.ZodPipe<z.ZodObject>;
  readonly condition?: 'If-Match' | 'If-None-Match';
  readonly body?: Body;
  readonly answers: Readonly<Record<number, Answer>>;
}

export interface Body {
  readonly schema: z.ZodType;
  /** An empty body counts as an empty object: a body is required where that will not do. */
  readonly required: boolean;
  /** By what each of them shows. */
  readonly examples: Readonly<Record<string, JsonObject>>;
}

export interface Answer {
  readonly description: string;
  /** Absent where the answer has no body. */
  readonly body?: z.ZodType;
  /** Beside those that every answer has. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
}

/** Keeps the types of the definition as narrow as it is written. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

/** What a request to the endpoint brings, once it is checked: a query and a body where the endpoint takes them. */
export type SentTo<E extends Endpoint> = (E extends { readonly query: infer Q extends z.ZodType }
  ? { readonly query: z.output<Q> }
  : unknown) &
  (E extends { readonly body: { readonly schema: infer B extends z.ZodType } }
    ? { readonly body: z.output<B> }
    : unknown);
