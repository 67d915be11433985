import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { writeKnowledge } from './scripts/compile-knowledge.ts'
import { writePresets } from './scripts/compile-presets.ts'
import { TestOrder } from './scripts/test-order.ts'
import { filesOnPostgres } from './test/postgres/suites.ts'
import { findPostgres } from './test/support/postgres/programs.ts'

/** Files that mock a module, isolated from other files. */
const ALONE = [
  'packages/agent/src/tools/files/swapped-folders.test.ts',
  'packages/node/src/backups/swapped-folders.test.ts',
  'packages/node/src/store/wal-sync.test.ts',
]

/** The same suites with their stores on one server. Without one, test/postgres/suites.test.ts is skipped or fails. */
const ON_POSTGRES: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'postgres',
    include: filesOnPostgres(),
    globalSetup: ['test/support/postgres/shared-server.ts'],
    setupFiles: ['test/support/postgres/use-shared-server.ts'],
  },
}

writeKnowledge()
await writePresets()

/** Tests run on the sources, by an export condition that only our packages have (some others have `source`). */
export default defineConfig({
  resolve: { conditions: ['countersign-source'] },
  ssr: { resolve: { conditions: ['countersign-source'], externalConditions: ['countersign-source'] } },
  test: {
    // For two cores: half of the time is spent waiting for other processes and the browser.
    maxWorkers: 6,
    // Generous timeouts that only a hang exceeds, for busy machines.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: TestOrder },
    // Loading the program again would take most of a small file's time. So would more projects, which share no workers.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/hosts/live/**', 'test/adapters/sdks/**', ...ALONE],
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true } },
      ...(findPostgres() === undefined ? [] : [ON_POSTGRES]),
    ],
  },
})
