/**
 * Tests with real coding agents, driven headless by a stand-in model on loopback. Installs them first. The last lines
 * show which versions were left out, and `N passed, N failed`.
 */
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { LEFT_OUT } from '../test/hosts/rig/installed.ts'
import { PROGRAMS } from '../test/hosts/rig/programs.ts'

/** Hooks start the built command, as they do for people. */
process.env['COUNTERSIGN_BUILT'] = '1'

const root = join(import.meta.dirname, '..')
const config = join(root, 'test/hosts/vitest.config.ts')
// Arguments are filters for test files, such as `driving`.
const vitest = await startVitest('test', process.argv.slice(2), { config, root, watch: false })
const modules = vitest.state.getTestModules()
const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
// A file about programs that are all left out has no tests.
const isEmpty = (message: string): boolean => /^No test (?:suite )?found/.test(message)
const unloaded = modules.filter((module) => module.errors().some(({ message }) => !isEmpty(message))).length
const errors = vitest.state.getUnhandledErrors().length
await vitest.close()

const count = (state: string): number => states.filter((one) => one === state).length
const failed = count('failed') + unloaded + errors
for (const { host, version } of LEFT_OUT) console.log(`left out: ${PROGRAMS[host].title} ${version} is not installed`)
console.log(`${count('passed')} passed, ${failed} failed`)
process.exitCode = failed === 0 && count('passed') > 0 ? 0 : 1
