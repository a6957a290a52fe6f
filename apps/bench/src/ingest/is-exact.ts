import type { Client } from 'pg';

interface Found {
  readonly stored: string;
  readonly counted: string;
  readonly dead: string;
}

/** Checks that exactly the sent entries are stored and counted. */
export async function isExact(client: Client, entries: number): Promise<boolean> {
  const { rows } = await client.query<Found>(`
    select (select count(*) from log_entry) as stored,
      (select sum(total) from log_block where depth = 0) as counted,
      (select count(*) from dead_letter) as dead`);
  const [found] = rows;
  return Number(found?.stored) === entries && Number(found?.counted) === entries && found?.dead === '0';
}
