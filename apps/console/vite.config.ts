import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import subsetFont from 'subset-font';
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

const FONT = fileURLToPath(
  import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);
const SMALL_FONT = join(import.meta.dirname, 'node_modules/.font/inter.woff2');
const characters = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, n) => String.fromCodePoint(from + n)).join('');

/** Reduces the font to Latin-1, some signs, and the weights that the page uses. Others are shown in a font of the system. */
const smallFont: Plugin = {
  name: 'small-font',
  async buildStart() {
    const text = `${characters(0x20, 0x7f)}${characters(0xa0, 0x100)}–—‘’“”•…‹›←↑→↓−×€™`;
    const options = { targetFormat: 'woff2', variationAxes: { wght: { min: 400, max: 700 } } } as const;
    mkdirSync(dirname(SMALL_FONT), { recursive: true });
    writeFileSync(SMALL_FONT, await subsetFont(readFileSync(FONT), text, options));
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
  plugins: [react(), smallFont, operationsAsData, compressedAssets],
  // The service may run below any path and writes it into the page.
  base: './',
  resolve: {
    // Preact has the interface of React at about a fifth of its size.
    alias: [
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
    ],
  },
  build: {
    target: 'es2023',
    // The content security policy allows only files from the service.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'embed.html'],
      checks: { bundlerTimings: false },
      // What several screens use is one file, not a dozen small ones.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
    },
    chunkSizeWarningLimit: 1000,
  },
});
