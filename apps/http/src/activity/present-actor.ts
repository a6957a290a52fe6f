import type { WireActor } from '@plugin-config/contract';
import type { Actor } from '@plugin-config/domain';

export function presentActor({ keyId, label }: Actor): WireActor {
  return { key_id: keyId, label };
}
