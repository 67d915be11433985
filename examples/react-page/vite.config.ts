import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Run `npx vite examples/react-page`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['countersign-source', 'module', 'browser', 'default'] },
  build: { emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
})
