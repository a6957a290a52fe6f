import { Buffer } from 'node:buffer';

// Runs the HTTP server of ClickHouse from the chdb library. Arguments: the path of the library, then the options of ClickHouse.
// Stops when its standard input closes, so it never outlives the test that started it.

/** Not imported: importing `node:process` would open the standard input, which ClickHouse reads. */
const ffi = process.getBuiltinModule('node:ffi');
const SERVE = `SYSTEM START LISTEN HTTP; select count() from file('-', LineAsString)`;

const [library = '', ...options] = process.argv.slice(2);
const { functions } = ffi.dlopen(library, {
  chdb_query_cmdline: { arguments: ['i32', 'pointer'], return: 'pointer' },
  chdb_result_error: { arguments: ['pointer'], return: 'pointer' },
});
const words = ['clickhouse', ...options, `--query=${SERVE}`].map((word) => Buffer.from(`${word}\0`));
const addresses = Buffer.alloc(8 * (words.length + 1));
for (const [at, word] of words.entries()) addresses.writeBigUInt64LE(ffi.getRawPointer(word), 8 * at);
const result = functions.chdb_query_cmdline(words.length, ffi.getRawPointer(addresses));
const error = functions.chdb_result_error(result);
if (error !== 0n) throw new Error(ffi.toString(error) ?? 'ClickHouse failed.');
