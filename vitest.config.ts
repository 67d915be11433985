import { defineConfig } from 'vitest/config'
import { writeKnowledge } from './scripts/compile-knowledge.ts'
import { writePresets } from './scripts/compile-presets.ts'
import { TestOrder } from './scripts/test-order.ts'

/** Files that put a module of their own in place of a real one: they share nothing with other files. */
const ALONE = ['packages/node/src/store/wal-sync.test.ts']
/** Files whose tests open pages. */
const BROWSER = ['test/browser/*.test.ts', 'examples/react-*/*.test.ts']

writeKnowledge()
await writePresets()

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
    sequence: { sequencer: TestOrder },
    // Most of a small file's time would go into loading the program anew.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...ALONE, ...BROWSER],
        },
      },
      { extends: true, test: { name: 'browser', include: BROWSER, testTimeout: 180_000, hookTimeout: 180_000 } },
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true } },
    ],
  },
})
