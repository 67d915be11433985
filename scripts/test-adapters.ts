/**
 * Tests of `packages/adapters` with the real agent SDKs and scripted models, offline. Installs the SDKs first. The last lines show
 * which SDKs were left out, and `N passed, N failed`.
 */
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { isInstalled, SDKS } from '../test/adapters/support/sdks.ts'

/** Types are checked as people get them: compiled. */
process.env['COUNTERSIGN_BUILT'] = '1'

const root = join(import.meta.dirname, '..')
const config = join(root, 'test/adapters/vitest.config.ts')
// Arguments are filters for test files, such as `ai-sdk`.
const vitest = await startVitest('test', process.argv.slice(2), { config, root, watch: false })
const modules = vitest.state.getTestModules()
const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
const unloaded = modules.filter((module) => module.errors().length > 0).length
const errors = vitest.state.getUnhandledErrors().length
await vitest.close()

const count = (state: string): number => states.filter((one) => one === state).length
const failed = count('failed') + unloaded + errors
for (const sdk of SDKS) if (!isInstalled(sdk)) console.log(`left out: ${sdk} is not installed`)
console.log(`${count('passed')} passed, ${failed} failed`)
process.exitCode = failed === 0 && count('passed') > 0 ? 0 : 1
