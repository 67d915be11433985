import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The worker that keeps the shell, told what was built: another build is another worker, with a shell of its own. */
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

/** The inbox, built straight from the sources of every package into files that a strict policy of content allows. */
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
      // Of core only what the page uses: its modules, and the libraries behind them, do nothing when they are loaded.
      treeshake: {
        moduleSideEffects: (id) => !/\/packages\/core\/|\/node_modules\/(yaml|zod|re2js|unbash|diff)\//.test(id),
      },
    },
  },
})
