import { defineConfig } from 'vite';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Leaves a list of what was built: the server sends what is on it and nothing else. */
function listFiles() {
  return {
    name: 'rowan-list-files',
    closeBundle() {
      const dist = join(import.meta.dirname, 'dist');
      const files = readdirSync(dist, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'files.txt')
        .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1).replaceAll('\\', '/'))
        .sort();
      writeFileSync(join(dist, 'files.txt'), files.join('\n') + '\n');
    },
  };
}

export default defineConfig({
  base: '/',
  build: {
    target: 'es2023',
    assetsInlineLimit: 0, // no data: addresses that the security policy would have to allow
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    emptyOutDir: true,
  },
  plugins: [listFiles()],
});
