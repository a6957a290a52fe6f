import type {
  administrationEndpoints,
  declarationEndpoints,
  deliveryMessage,
  Endpoint,
  EventOf,
  documentErrorBody,
  errorMessage,
  ingestReport,
  logEntryMessage,
  projectEndpoints,
  sessionEndpoints,
  recordEndpoints,
  revisionEndpoints,
  runtimeEndpoints,
  subresourceEndpoints,
  streamEndpoints,
  WireFamily,
  WireReset,
} from '@plugin-config/contract';
import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type { ErrorBody } from '../wire/error.ts';
import type { ProjectClient } from '../client.ts';
import type { Family } from '../wire/family.ts';
import type { Json } from '../wire/json.ts';
import type { DeliveryMessage, ErrorMessage, IngestReport, LogMessage } from '../wire/message.ts';
import type { StreamEvent } from '../wire/stream.ts';
import type { Calls, Streams } from './calls.ts';

type Definitions = typeof projectEndpoints &
  typeof sessionEndpoints &
  typeof administrationEndpoints &
  typeof declarationEndpoints &
  typeof recordEndpoints &
  typeof revisionEndpoints &
  typeof runtimeEndpoints &
  typeof subresourceEndpoints;

type CallsOfDefinitions = { readonly [Id in keyof Definitions]: CallOf<Definitions[Id]> };

type CallOf<E extends Endpoint> = Flat<
  QueryOf<E> & BodyOf<E> & { readonly response: ResponseOf<E['answers']> }
>;

type QueryOf<E> = E extends { readonly query: infer Q extends z.ZodType }
  ? { readonly query: Parameters<Checked<Q>> }
  : unknown;

type StreamsOfDefinitions = {
  readonly [Id in keyof typeof streamEndpoints]: StreamOf<(typeof streamEndpoints)[Id]>;
};

/** The client sends the cursor of a stream as a header, so the parameter is left out. */
type StreamOf<E extends Endpoint> = Flat<
  Filled<Omit<QueryField<QueryOf<E>>, 'last_event_id'>> & {
    readonly event: Identified<EventOf<E> | { readonly event: 'reset'; readonly data: WireReset }>;
  }
>;

type QueryField<Q> = Q extends { readonly query: infer Fields } ? Fields : unknown;

type Filled<Query> = keyof Query extends never ? unknown : { readonly query: Query };

type Identified<E> = E extends { readonly event: infer Name extends string; readonly data: infer Data }
  ? StreamEvent<Name, Frozen<Data>>
  : never;

/** The fields of a query after validation, before they are renamed. */
type Checked<Q> = Q extends z.ZodPipe<infer Fields> ? z.output<Fields> : z.output<Q>;

type Parameters<T> = { readonly [K in keyof T]?: Parameter<Exclude<T[K], null>> | undefined };

type Parameter<T> = T extends Date ? Date | string : T extends readonly unknown[] ? Readonly<T> : T;

type BodyOf<E> = E extends { readonly body: { readonly schema: infer B extends z.ZodType } }
  ? { readonly body: Frozen<z.input<B>> }
  : unknown;

type ResponseOf<Answers> = {
  [Status in keyof Answers]: Status extends 200 | 201 | 204
    ? Answers[Status] extends { readonly body: infer B extends z.ZodType }
      ? Frozen<z.output<B>>
      : undefined
    : never;
}[keyof Answers];

type Flat<T> = { readonly [K in keyof T]: T[K] };

/** Expands all interfaces and intersections in a type, except `Json`, which is recursive. */
type Frozen<T> = [Json] extends [T] ? T : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** True if two types are identical to the compiler, including optional and read-only modifiers. */
type Same<A, B> =
  (<T>() => T extends Frozen<A> ? 1 : 2) extends <T>() => T extends Frozen<B> ? 1 : 2 ? true : false;

type CamelCase<T extends string> = T extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : T;

test('the types of a call match the definition of its endpoint', () => {
  type Different = {
    [Id in keyof Definitions]: Same<Calls[Id], CallsOfDefinitions[Id]> extends true ? never : Id;
  }[keyof Definitions];
  expectTypeOf<Different>().toBeNever();
  expectTypeOf<keyof Calls>().toEqualTypeOf<keyof Definitions>();
});

test('the types of a stream match the definition of its endpoint', () => {
  type Different = {
    [Id in keyof typeof streamEndpoints]: Same<Streams[Id], StreamsOfDefinitions[Id]> extends true
      ? never
      : Id;
  }[keyof typeof streamEndpoints];
  expectTypeOf<Different>().toBeNever();
  expectTypeOf<keyof Streams>().toEqualTypeOf<keyof typeof streamEndpoints>();
});

test('the types of errors and messages match the contract', () => {
  expectTypeOf<Same<ErrorBody, z.output<typeof documentErrorBody>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<LogMessage, z.input<typeof logEntryMessage>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<DeliveryMessage, z.input<typeof deliveryMessage>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<ErrorMessage, z.input<typeof errorMessage>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<IngestReport, z.output<typeof ingestReport>>>().toEqualTypeOf<true>();
});

test('the client has every family', () => {
  expectTypeOf<Family>().toEqualTypeOf<WireFamily>();
  expectTypeOf<keyof ProjectClient>().toEqualTypeOf<
    'retrieve' | 'update' | 'usage' | 'configuration' | CamelCase<WireFamily>
  >();
});

test('the comparison detects differences', () => {
  expectTypeOf<Same<{ a: 1 }, { a?: 1 }>>().toEqualTypeOf<false>();
  expectTypeOf<Same<{ a: { b: string } }, { a: { b: string | null } }>>().toEqualTypeOf<false>();
  expectTypeOf<Same<{ a: readonly 1[] }, { a: readonly 1[]; b?: 1 }>>().toEqualTypeOf<false>();
});
