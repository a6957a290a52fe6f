import type { Part } from '../part.ts';
import { benchHttp } from './http-bench.ts';
import { httpTable } from './http-table.ts';

/** Measures requests per second of the service, the framework alone and a hand-written server. */
export const httpPart: Part = async (options) => {
  const { rows, residentMb } = await benchHttp(options);
  return {
    text: `${httpTable(rows)}\n\nHTTP process after the load: ${Math.round(residentMb)} MB resident`,
    wrong: rows.reduce((sum, { failed }) => sum + failed, 0),
  };
};
