import { existsSync } from 'node:fs'
import { findChromium, NO_CHROMIUM } from '@countersign/testing/browser/chromium'
import { hasBubblewrap, NO_BUBBLEWRAP } from '@countersign/testing/contain/bubblewrap'
import { findPgBouncer, NO_PGBOUNCER } from '@countersign/testing/postgres/pooler-program'
import { findPostgres, NO_POSTGRES, packageFolder } from '@countersign/testing/postgres/programs'
import { hasServers, NO_SERVERS } from '../test/mcp/support/conformance.ts'

/** A test file in the test runner's report. */
export interface TestFile {
  readonly name: string
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
}

/** Optional requirements, and the test files that need them. */
const REQUIREMENTS: readonly { readonly why: string; readonly files: RegExp; readonly isMissing: () => boolean }[] = [
  { why: NO_CHROMIUM, files: /\/test\/browser\/|\/examples\/react-/, isMissing: () => findChromium() === undefined },
  {
    why: NO_PGBOUNCER,
    files: /\/packages\/postgres\/src\/pooler\./,
    isMissing: () => findPostgres() !== undefined && findPgBouncer() === undefined,
  },
  {
    why: NO_POSTGRES,
    files: /\/packages\/postgres\/|\/test\/postgres\/(?!programs)|\/test\/faults\/kill\./,
    isMissing: () => findPostgres() === undefined,
  },
  {
    why: 'PostgreSQL from npm is only installed for the long tests, and where the machine has no server',
    files: /\/test\/postgres\/programs\./,
    isMissing: () => !existsSync(packageFolder()),
  },
  { why: NO_BUBBLEWRAP, files: /\/contain\//, isMissing: () => !hasBubblewrap() },
  {
    why: NO_SERVERS,
    files: /\/test\/mcp\/(?:official-servers|older-transport|\w+-conformance)\./,
    isMissing: () => !hasServers(),
  },
]
const NO_TERMINAL = /NOT RUN, (.+? is installed)/
const OTHER_PLATFORM = 'they need another operating system or user'

/** One line for each reason why tests were skipped, with their number. */
export function skippedTests(files: readonly TestFile[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const lacking = REQUIREMENTS.find((one) => one.files.test(file.name) && one.isMissing())?.why
    for (const { status, fullName } of file.assertionResults) {
      if (status === 'passed' || status === 'failed') continue
      const why = lacking ?? NO_TERMINAL.exec(fullName)?.[1] ?? OTHER_PLATFORM
      counts.set(why, (counts.get(why) ?? 0) + 1)
    }
  }
  return [...counts].map(([why, count]) => `skipped: ${count === 1 ? '1 test' : `${count} tests`}: ${why}`)
}
