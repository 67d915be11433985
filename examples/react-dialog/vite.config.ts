import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npx vite examples/react-dialog` opens the page. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['countersign-source', 'module', 'browser', 'default'] },
  build: { emptyOutDir: true, modulePreload: { polyfill: false } },
})
