import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Writes each asset in the encodings of the service too, so that it never compresses one. */
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

export default defineConfig({
  plugins: [react(), compressedAssets],
  // The service may stand below any path: it writes the path into the page.
  base: './',
  build: {
    target: 'es2023',
    // The policy of the page allows files of the service alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
    chunkSizeWarningLimit: 1000,
  },
});
