import { defineConfig } from 'vitest/config'

/** Tests run on the sources: the condition of our packages' exports that no other package has (some have `source`). */
export default defineConfig({
  resolve: { conditions: ['countersign-source'] },
  ssr: { resolve: { conditions: ['countersign-source'], externalConditions: ['countersign-source'] } },
  test: {
    // On two cores: half of the time is spent waiting for other processes and for the browser.
    maxWorkers: 3,
    // Limits that only a hang reaches: a busy machine must not fail what is right.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['packages/core/src/**/*.test.ts'],
          // Core touches nothing outside itself, so its tests can share one load of it.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'all else',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'packages/core/**'],
        },
      },
    ],
  },
})
