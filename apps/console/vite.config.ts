import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Writes each asset in the encodings that the service sends, so it never compresses one itself. */
const compressedAssets: Plugin = {
  name: 'compressed-assets',
  writeBundle({ dir = 'dist' }) {
    for (const name of globSync('assets/*.{js,css,svg}', { cwd: dir })) {
      const bytes = readFileSync(join(dir, name));
      writeFileSync(join(dir, `${name}.gzip`), gzipSync(bytes, { level: 9 }));
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes));
    }
  },
};

/** Bundles what the client knows of the endpoints as data, without the contract. */
const operationsAsData: Plugin = {
  name: 'operations-as-data',
  async load(path) {
    if (!path.endsWith('/client/src/calls/operations.ts')) return undefined;
    const { operations } = (await import(path)) as { readonly operations: unknown };
    return `export const operations = ${JSON.stringify(operations)};`;
  },
};

export default defineConfig({
  plugins: [react(), operationsAsData, compressedAssets],
  // The service may run below any path and writes it into the page.
  base: './',
  build: {
    target: 'es2023',
    // The content security policy allows only files from the service.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
    chunkSizeWarningLimit: 1000,
  },
});
