import { defineConfig } from 'vitest/config'

/** Tests run on the sources: the `source` condition of each package's exports. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    testTimeout: 10_000,
    hookTimeout: 30_000,
  },
})
