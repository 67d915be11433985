import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Writes the service worker with the list of built files. A new build gets its own cache. */
function shellWorker(): Plugin {
  return {
    name: 'shell-worker',
    apply: 'build',
    generateBundle(_, bundle) {
      const assets = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .map((name) => `/${name}`)
        .toSorted()
      const build = createHash('sha256').update(assets.join('\n')).digest('hex').slice(0, 12)
      const source = readFileSync(join(import.meta.dirname, 'sw.js'), 'utf8')
        .replace('countersign-shell-BUILD', `countersign-shell-${build}`)
        .replace('const ASSETS = []', `const ASSETS = ${JSON.stringify(assets)}`)
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}

/** Builds the inbox from the sources of all packages, for a strict content security policy. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), shellWorker()],
  resolve: { conditions: ['countersign-source', 'module', 'browser', 'production', 'default'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // Core and its libraries have no side effects, so unused modules are dropped.
      treeshake: {
        moduleSideEffects: (id) => !/\/packages\/core\/|\/node_modules\/(yaml|zod|re2js|unbash|diff)\//.test(id),
      },
    },
  },
})
