import {
  type Crypto,
  createHermeticJudge,
  formatProblem,
  formatTestResult,
  type LoadPolicyOptions,
  loadPolicy,
  loadPolicyFile,
  loadPreset,
  type PolicyFile,
  type PolicyProblem,
  type PolicyTest,
  PRESET_NAMES,
  runPolicyTests,
  safeText,
  TEST_PLACES,
  type TestResult,
} from '@countersign/core'
import { openCrypto } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { existingHome } from '../home/existing-home.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { layerOption } from './lint.ts'
import { byLayer, CHECKERS, filesInForce, namedFiles } from './policy-sources.ts'

interface TestFlags {
  readonly presets?: true
  readonly layer: PolicyFile['layer']
}

/** Files that form one policy, with its tests. */
interface Suite {
  readonly files: readonly PolicyFile[]
  readonly options: LoadPolicyOptions
  readonly tests: readonly PolicyTest[]
}

interface Ran {
  readonly results: readonly TestResult[]
  readonly problems: readonly PolicyProblem[]
}

export function defineTest(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign policy test', 'the `tests:` of every active file'],
    ['countersign policy test draft.yaml', 'the tests of one file'],
    ['countersign policy test --presets', 'also the tests of the presets'],
  ])
  command
    .argument('[file...]', 'files to test instead of the active ones, each on its own')
    .addOption(layerOption())
    .option('--presets', 'also run the tests of the presets')
    .action((paths: readonly string[], flags: TestFlags) => test(paths, flags, io))
}

async function test(paths: readonly string[], flags: TestFlags, io: Io): Promise<void> {
  const home = existingHome(io)
  const crypto = openCrypto(home)
  const groups =
    paths.length > 0
      ? (await namedFiles(paths, flags.layer, io)).map((file) => [file])
      : byLayer(await filesInForce(home, io))
  const suites = [
    ...groups.map((files) => suiteOf(files, crypto)),
    ...(flags.presets === true ? PRESET_NAMES.map((name) => presetSuite(name, crypto)) : []),
  ]
  const ran: Ran[] = []
  for (const suite of suites) ran.push(await runSuite(suite))
  report({ results: ran.flatMap((one) => one.results), problems: ran.flatMap((one) => one.problems) }, io)
}

function suiteOf(files: readonly PolicyFile[], crypto: Crypto): Suite {
  const options = { checkers: CHECKERS, crypto }
  const tests = files.flatMap((file) => {
    if (file.form === 'knowledge') return []
    const loaded = loadPolicyFile(file, options)
    return loaded.kind === 'loaded' ? loaded.tests : []
  })
  return { files, options, tests }
}

function presetSuite(name: (typeof PRESET_NAMES)[number], crypto: Crypto): Suite {
  return { files: [], options: { checkers: CHECKERS, crypto, defaultPreset: name }, tests: loadPreset(name).tests }
}

async function runSuite({ files, options, tests }: Suite): Promise<Ran> {
  const loaded = loadPolicy(files, options)
  if (loaded.kind === 'refused') return { results: [], problems: loaded.problems }
  return {
    results: await runPolicyTests(tests, createHermeticJudge(loaded.policy, options.crypto), TEST_PLACES),
    problems: [],
  }
}

function report({ results, problems }: Ran, io: Io): void {
  const failed = results.filter((result) => result.status === 'fail')
  const passed = results.length - failed.length
  if (failed.length > 0 || problems.length > 0) io.exit(EXIT.failed.code)
  if (io.json) {
    printJson(io, { passed, failed: failed.length, problems, results: results.map(resultJson) })
    return
  }
  for (const problem of problems) print(io, safeText(formatProblem(problem)))
  for (const result of failed) print(io, safeText(formatTestResult(result)))
  if (problems.length > 0) say(io, 'invalid policy files are not tested; fix them first')
  else if (results.length === 0) say(io, 'these files have no `tests:`')
  print(io, `${passed} passed, ${failed.length} failed`)
}

function resultJson({ test, status, differences }: TestResult) {
  const { file, line, name, expect } = test
  return { file, line, name: name ?? null, tool: test.call.tool, expect, status, differences }
}
