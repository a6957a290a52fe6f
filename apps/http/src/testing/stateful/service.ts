import type { WireConfigRecord } from '@plugin-config/contract';
import { FAMILIES, type Family } from '@plugin-config/domain';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ReceivedResponse, Call } from '../caller.ts';
import { REGISTERED, shownConfig, type Model, type ModelFamily, type ModelRecord } from './model.ts';
import type { Wire } from '../wire.ts';

/** The running service, with the same number of projects as the model. */
export interface Running {
  readonly projects: readonly { readonly id: number; readonly call: Call }[];
}

/** The project and the family that a command works on. */
export interface Place {
  readonly project: number;
  readonly family: Family;
}

/** The model and the service at the place of a command. */
export interface Target {
  readonly model: Model;
  readonly family: ModelFamily;
  readonly place: Place;
  readonly call: Call;
  /** Calls paths below the project. */
  readonly callAt: (project: number) => Call;
  readonly projectId: number;
  /** The path of the family, relative to the project. */
  readonly path: string;
  /** The request id of the command, which is in its activity entry. */
  readonly requestId: string;
}

export interface RecordTarget extends Target {
  readonly record: ModelRecord;
}

export type Command = fc.AsyncCommand<Model, Running>;

/** Most commands share a place, to make them interact. */
export const places: fc.Arbitrary<Place> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ project: 0, family: 'plugin_configs' } as const) },
  { weight: 1, arbitrary: fc.record({ project: fc.nat(1), family: fc.constantFrom(...FAMILIES) }) },
);

let requests = 0;

export function familyCommand<Input extends { readonly place: Place }>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (target: Target, input: Input) => Promise<void>,
): fc.Arbitrary<Command> {
  return inputs.map((input) => ({
    check: () => true,
    run: (model, running) => run(targetOf(model, running, input.place), input),
    toString: () => `${name}(${fc.stringify(input)})`,
  }));
}

/** Creates a command about one of the records at its place, chosen by `pick`. */
export function recordCommand<Input extends { readonly place: Place; readonly pick: number }>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (target: RecordTarget, input: Input) => Promise<void>,
): fc.Arbitrary<Command> {
  return inputs.map((input) => ({
    check: ({ projects }) => (projects[input.place.project]?.[input.place.family].records.length ?? 0) > 0,
    run: (model, running) => {
      const target = targetOf(model, running, input.place);
      const record = target.family.records[input.pick % target.family.records.length];
      if (record === undefined) throw new Error('There is no record.');
      return run({ ...target, record, path: `${target.path}/${record.id}` }, input);
    },
    toString: () => `${name}(${fc.stringify(input)})`,
  }));
}

function targetOf(model: Model, running: Running, place: Place): Target {
  const family = familyOf(model, place);
  const { id: projectId } = projectOf(running, place.project);
  const requestId = `request-${++requests}`;
  const callAt =
    (project: number): Call =>
    (method, path, { headers = {}, ...request } = {}) => {
      const { call } = projectOf(running, project);
      return call(method, path, { ...request, headers: { 'x-request-id': requestId, ...headers } });
    };
  const call = callAt(place.project);
  return { model, family, place, call, callAt, projectId, path: `/${place.family}`, requestId };
}

function familyOf({ projects }: Model, { project, family }: Place): ModelFamily {
  const found = projects[project]?.[family];
  if (found === undefined) throw new Error(`The model has no project ${project}.`);
  return found;
}

function projectOf({ projects }: Running, number: number): Running['projects'][number] {
  const found = projects[number];
  if (found === undefined) throw new Error(`There is no project ${number}.`);
  return found;
}

/** Returns all places of the model, to compare the whole state at the end. */
export function everyTarget(model: Model, running: Running): readonly Target[] {
  return model.projects.flatMap((_, project) =>
    FAMILIES.map((family) => targetOf(model, running, { project, family })),
  );
}

export interface ErrorBody {
  readonly code: string;
  readonly attr: string | null;
}

export function expectRejected(
  { status, body, text }: ReceivedResponse<unknown>,
  expected: readonly [status: number, code: string, attr: string | null],
): void {
  const { code, attr } = (body ?? {}) as Partial<ErrorBody>;
  expect([status, code, attr, text]).toEqual([...expected, text]);
}

export function expectStatus({ status, text }: ReceivedResponse<unknown>, expected: number): void {
  expect([status, text]).toEqual([expected, text]);
}

/** Expects the response to match the record in the model: with a new tag and time only if it changed. */
export function expectRecord(
  { record, projectId }: Pick<RecordTarget, 'record' | 'projectId'>,
  { body, headers }: ReceivedResponse<WireConfigRecord>,
): void {
  expectBody({ record, projectId }, body);
  const tag = headers.get('etag') ?? '';
  const { tags, version } = record;
  const current = tags.find((one) => one.version === version);
  if (current === undefined) {
    expect(tags.map((one) => one.tag)).not.toContain(tag);
    tags.push({ version, tag, updatedAt: body.updated_at });
  } else expect(tag).toBe(current.tag);
}

export function expectBody(
  { record, projectId }: Pick<RecordTarget, 'record' | 'projectId'>,
  body: WireConfigRecord,
): void {
  const { config, updated_at: updatedAt, ...fields } = body;
  expect(fields).toEqual({
    id: record.id,
    ...record.fields,
    error: null,
    team_id: projectId,
    plugin_info: pluginInfoOf(record),
    delivery_rate_24h: null,
    created_at: record.createdAt,
  });
  expect(JSON.parse(config)).toEqual(shownConfig(record));
  const last = record.tags.at(-1);
  if (last === undefined || last.version < record.version) {
    expect(updatedAt >= (last?.updatedAt ?? record.createdAt)).toBe(true);
  } else expect(updatedAt).toBe(last.updatedAt);
}

function pluginInfoOf({ fields }: ModelRecord): string | null {
  if (fields.plugin !== REGISTERED.id) return null;
  const { configSchema, ...plugin } = REGISTERED;
  return JSON.stringify({ ...plugin, config_schema: configSchema });
}

/** Expects this page of the history of the record. */
export function expectHistory(
  { record }: Pick<RecordTarget, 'record'>,
  { body }: ReceivedResponse<Wire<'activityView'>>,
  { limit = 100, offset = 0 } = {},
): void {
  const newestFirst = record.history.toReversed();
  const sorted = (changes: readonly { readonly field: string }[]) =>
    changes.toSorted((a, b) => (a.field < b.field ? -1 : 1));
  expect({
    count: body.count,
    results: body.results.map(({ activity, changes, request_id: requestId }) => ({
      activity,
      changes: sorted(changes),
      requestId,
    })),
  }).toEqual({
    count: newestFirst.length,
    results: newestFirst
      .slice(offset, offset + limit)
      .map(({ changes, ...entry }) => ({ ...entry, changes: sorted(changes) })),
  });
  const times = body.results.map(({ created_at: at, id }) => [at, id] as const);
  expect(times).toEqual(times.toSorted(([a, i], [b, j]) => (a === b ? j - i : a < b ? 1 : -1)));
}
