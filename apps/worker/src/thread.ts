import { serveTasks } from '@plugin-config/flow/node';
import { decodeExport, type EncodedExport } from './sources/otlp/decode-export.ts';

// The thread for the long pure work of the worker.
serveTasks({
  decodeExport: (encoded: EncodedExport) => {
    const blocks = decodeExport(encoded);
    return { value: blocks, moved: blocks.map(({ buffer }) => buffer) };
  },
});
