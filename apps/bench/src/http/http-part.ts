import type { Part } from '../part.ts';
import { benchHttp } from './http-bench.ts';
import { httpTable } from './http-table.ts';

/** Requests a second, beside the framework alone and a server written by hand. */
export const httpPart: Part = async (options) => {
  const { rows, residentMb } = await benchHttp(options);
  return {
    text: `${httpTable(rows)}\n\nHTTP process after the load: ${Math.round(residentMb)} MB resident`,
    wrong: rows.reduce((sum, { failed }) => sum + failed, 0),
  };
};
