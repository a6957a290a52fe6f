import type { runtimeEndpoints, WireRuntimeConfiguration } from '@plugin-config/contract';
import {
  familyNumber,
  type FamilyRef,
  type RuntimeConfigurations,
  type RuntimeVersions,
} from '@plugin-config/domain';
import { accessOf, jsonInSlices, reserveIfLarge, sendReservedJson } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { matchesTag } from '../answers/entity-tag.ts';
import type { Handler } from '../endpoints/handler.ts';
import type { RuntimeWaits } from './runtime-waits.ts';

export interface FeedDependencies {
  readonly configurations: RuntimeConfigurations;
  readonly versions: RuntimeVersions;
  readonly waits: RuntimeWaits;
}

interface Content {
  readonly version: string;
  readonly body: Buffer;
}

/** Sends a family with the values of its secrets. They are kept nowhere, but while they are sent. */
export function runtimeFeedHandler({
  configurations,
  versions,
  waits,
}: FeedDependencies): Handler<(typeof runtimeEndpoints)['retrieveRuntime']> {
  const contentOf = sharedContents(configurations);
  return async ({ request, reply, family, query }) => {
    const { 'if-none-match': known } = request.raw.headers;
    let version = await versions.at(family, accessOf(request).freshness);
    const isCurrent = known !== undefined && matchesTag(known, tagOf(version));
    if (isCurrent && query.wait !== null && known.trim() !== '*')
      version = await waits.untilOther(request, reply, { family, version, seconds: query.wait });
    if (known !== undefined && matchesTag(known, tagOf(version))) {
      reply.code(304).header('etag', tagOf(version)).header('cache-control', 'no-store').send();
      return;
    }
    const content = await contentOf(reply, family, version);
    reserveIfLarge(reply, content.body);
    sendReservedJson(reply.header('etag', tagOf(content.version)), content.body);
  };
}

const tagOf = (version: string): string => `"${version}"`;

/** Responses with one version share one read and its bytes until the last of them is sent. */
function sharedContents(configurations: Pick<RuntimeConfigurations, 'read'>) {
  const contents = new Map<string, { readonly content: Promise<Content>; responses: number }>();
  return (reply: FastifyReply, family: FamilyRef, version: string): Promise<Content> => {
    const name = `${familyNumber(family)} ${version}`;
    const shared = contents.get(name) ?? { content: readContent(configurations, family), responses: 0 };
    contents.set(name, shared);
    shared.responses++;
    const release = (): void => {
      if (--shared.responses === 0 && contents.get(name) === shared) contents.delete(name);
    };
    if (reply.raw.destroyed) release();
    else reply.raw.once('close', release);
    return shared.content;
  };
}

async function readContent(
  configurations: Pick<RuntimeConfigurations, 'read'>,
  family: FamilyRef,
): Promise<Content> {
  const { version, records } = await configurations.read(family);
  const body: WireRuntimeConfiguration = {
    version,
    results: records.map(({ pluginName, ...record }) => ({ ...record, plugin_name: pluginName })),
  };
  return { version, body: await jsonInSlices(body) };
}
