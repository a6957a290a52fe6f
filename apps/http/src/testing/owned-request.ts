import type { Call, Request } from './caller.ts';
import type { Wire } from './wire.ts';

const MANAGER = 'checkout-team';

interface Operation {
  readonly id: string;
  /** The example of its body. */
  readonly example?: unknown;
}

interface Target {
  /** Calls paths below a project. */
  readonly call: Call;
  /** A plugin config of the project. */
  readonly record: number;
}

/** Returns a valid request about managed records, and prepares it: it may need an owned record or a current plan. */
export async function ownedRequest(
  { id, example }: Operation,
  { call, record }: Target,
): Promise<Request & { readonly query?: string }> {
  if (example === undefined) return { query: `?manager=${MANAGER}` };
  const adoption = { manager: MANAGER, records: [{ family: 'plugin_configs', id: record, key: 'geoip' }] };
  if (id === 'adopt_records') return { body: adoption };
  if (id !== 'apply_configuration') return { body: example };
  const { document } = example as { readonly document: object };
  const { status, body } = await call<Wire<'plan'>>('POST', '/configuration/plan', { body: { document } });
  return { body: { ...example, ...(status === 200 && { base: body.base }) } };
}
