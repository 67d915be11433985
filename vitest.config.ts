import { defineConfig } from 'vitest/config'

/** Tests run on the sources: the `source` condition of each package's exports. */
export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    // Half of the time goes to other processes and to the browser: one worker alone would leave the second core idle.
    maxWorkers: 2,
    testTimeout: 10_000,
    hookTimeout: 30_000,
  },
})
