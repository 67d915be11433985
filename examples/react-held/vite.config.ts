import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `countersign serve` listens. It answers only its own origin, so Vite proxies requests with that origin. */
const SERVICE = process.env['COUNTERSIGN_SERVICE'] ?? 'http://localhost:4180'

/** Run `npx vite examples/react-held` beside a running service. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['countersign-source', 'module', 'browser', 'default'] },
  server: { proxy: { '/api': { target: SERVICE, changeOrigin: true, headers: { origin: SERVICE } } } },
  build: { emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
})
