import { defineConfig } from 'vitest/config'
import { isInstalled, SDKS } from './support/sdks.ts'

/** The tests with real agent SDKs: not part of `npm test`, because they install other people's packages. */
export default defineConfig({
  resolve: { conditions: ['countersign-source'] },
  ssr: { resolve: { conditions: ['countersign-source'], externalConditions: ['countersign-source'] } },
  test: {
    include: SDKS.filter(isInstalled).map((sdk) => `test/adapters/sdks/${sdk}/*.test.ts`),
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
