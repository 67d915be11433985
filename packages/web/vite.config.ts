import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The inbox, built straight from the sources of every package into files that a strict policy of content allows. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
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
