import { findChromium, NO_CHROMIUM } from '@countersign/testing/browser/chromium'
import { hasServers, NO_SERVERS } from '../test/mcp/support/conformance.ts'

/** What the test runner says of a test file. */
export interface TestFile {
  readonly name: string
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
}

/** What a machine may lack, and the files whose tests need it. */
const LACKING: readonly { readonly why: string; readonly files: RegExp; readonly isMissing: () => boolean }[] = [
  { why: NO_CHROMIUM, files: /\/test\/browser\/|\/examples\/react-/, isMissing: () => findChromium() === undefined },
  {
    why: NO_SERVERS,
    files: /\/test\/mcp\/(?:official-servers|older-transport|\w+-conformance)\./,
    isMissing: () => !hasServers(),
  },
]
const NO_TERMINAL = /NOT RUN, (.+? is here)/
const NOT_HERE = 'they are for another system, or another user than this one'

/** One line for each reason why tests were left out: how many, and why. */
export function leftOut(files: readonly TestFile[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const file of files) {
    const lacking = LACKING.find((one) => one.files.test(file.name) && one.isMissing())?.why
    for (const { status, fullName } of file.assertionResults) {
      if (status === 'passed' || status === 'failed') continue
      const why = lacking ?? NO_TERMINAL.exec(fullName)?.[1] ?? NOT_HERE
      counts.set(why, (counts.get(why) ?? 0) + 1)
    }
  }
  return [...counts].map(([why, count]) => `left out: ${count === 1 ? '1 test' : `${count} tests`}: ${why}`)
}
