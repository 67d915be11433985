import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npx vite examples/react-dialog` opens the page; `/held.html` is the other, for calls that a gate holds. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['countersign-source', 'module', 'browser', 'default'] },
  build: {
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ['index.html', 'held.html'].map((page) => join(import.meta.dirname, page)) },
  },
})
