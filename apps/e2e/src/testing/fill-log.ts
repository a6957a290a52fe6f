import { expect } from 'vitest';
import type { Tenant } from './tenant.ts';

interface Lines {
  readonly batches: number;
  readonly lines: number;
  readonly message: string;
}

/** Pushes batches of equal lines, one after another. */
export async function fillLog(
  { push }: Tenant,
  id: number,
  { batches, lines, message }: Lines,
): Promise<void> {
  for (let batch = 0; batch < batches; batch++)
    expect(
      await push(Array.from({ length: lines }, () => ({ plugin_config_id: id, message }))),
    ).toMatchObject({
      status: 200,
    });
}
