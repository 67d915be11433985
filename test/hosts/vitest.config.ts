import { defineConfig } from 'vitest/config'

/** The tests with real coding agents: not part of `npm test`, because they install and start other people's programs. */
export default defineConfig({
  resolve: { conditions: ['countersign-source'] },
  ssr: { resolve: { conditions: ['countersign-source'], externalConditions: ['countersign-source'] } },
  test: {
    include: ['test/hosts/live/**/*.test.ts'],
    // Each test starts a whole coding agent, so few run at once.
    fileParallelism: false,
    maxConcurrency: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
